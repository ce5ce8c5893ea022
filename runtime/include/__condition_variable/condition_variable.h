/*
 * A thread that is cancelled while it waits leaves the wait by an exception, and releases its lock on the way. The library
 * says that nothing comes out of waits; others that programs are written for do not.
 */
#include <__chrono/duration.h>
#include <__chrono/steady_clock.h>
#include <__chrono/system_clock.h>
#include <__chrono/time_point.h>
#include <__config>
#include <__mutex/mutex.h>
#include <__mutex/unique_lock.h>
#include <__system_error/throw_system_error.h>
#include <__thread/support.h>
#include <__type_traits/enable_if.h>
#include <__type_traits/is_floating_point.h>
#include <__utility/move.h>
#include <limits>
#include <ratio>

#pragma GCC system_header
#pragma push_macro("_NOEXCEPT")
#ifdef __cpp_exceptions
#undef _NOEXCEPT
#define _NOEXCEPT
#endif
#include_next <__condition_variable/condition_variable.h>
#pragma pop_macro("_NOEXCEPT")
