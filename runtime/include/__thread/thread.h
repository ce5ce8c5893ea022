/* std::thread without what the library's own needs for printing identifiers, which takes seconds to compile. */
#ifndef _LIBCPP___THREAD_THREAD_H
#define _LIBCPP___THREAD_THREAD_H

#include <__config>
#include <__faultline.h>
#include <__functional/hash.h>
#include <__fwd/ostream.h>
#include <__memory/addressof.h>
#include <__memory/unique_ptr.h>
#include <__system_error/throw_system_error.h>
#include <__thread/id.h>
#include <__thread/support.h>
#include <__type_traits/decay.h>
#include <__type_traits/enable_if.h>
#include <__type_traits/invoke.h>
#include <__type_traits/is_constructible.h>
#include <__type_traits/is_same.h>
#include <__type_traits/remove_cvref.h>
#include <__utility/forward.h>
#include <__utility/integer_sequence.h>
#include <__utility/move.h>
#include <__utility/swap.h>
#include <tuple>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>

_LIBCPP_BEGIN_NAMESPACE_STD

template <>
struct hash<__thread_id> {
  _LIBCPP_HIDE_FROM_ABI size_t operator()(__thread_id __id) const noexcept {
    return hash<__libcpp_thread_id>()(__id.__id_);
  }
};

template <class _CharT, class _Traits>
_LIBCPP_HIDE_FROM_ABI basic_ostream<_CharT, _Traits>& operator<<(basic_ostream<_CharT, _Traits>& __out, __thread_id __id) {
  return __out << __id.__id_;
}

/* What happens at the end of a thread besides its destructors is refused by name. */
class __assoc_sub_state;
struct __thread_struct {
  _LIBCPP_HIDE_FROM_ABI void __make_ready_at_thread_exit(__assoc_sub_state*) {
    ::fl_unsupported("a promise that is set at thread exit");
  }
};
_LIBCPP_HIDE_FROM_ABI inline __thread_struct* __thread_local_data() { return nullptr; }

template <class _State, size_t... _Index>
_LIBCPP_HIDE_FROM_ABI void __call_with(_State& __state, __index_sequence<_Index...>) {
  std::__invoke(std::move(std::get<_Index>(__state))...);
}

/* Where a thread begins. Its name tells what it runs: src/frontends/wasm/machine/thread-labels.ts reads it. */
template <class _Fp, class... _Args>
__attribute__((__nodebug__)) void* __thread_main(void* __argument) {
  using _State = tuple<_Fp, _Args...>;
  unique_ptr<_State> __state(static_cast<_State*>(__argument));
  std::__call_with(*__state, __make_index_sequence<1 + sizeof...(_Args)>());
  return nullptr;
}

class thread {
  __libcpp_thread_t __t_ = 0;

public:
  using id                 = __thread_id;
  using native_handle_type = __libcpp_thread_t;

  _LIBCPP_HIDE_FROM_ABI thread() noexcept {}

  template <class _Fp, class... _Args, __enable_if_t<!is_same<__remove_cvref_t<_Fp>, thread>::value, int> = 0>
  _LIBCPP_HIDE_FROM_ABI explicit thread(_Fp&& __f, _Args&&... __args) {
    static_assert(is_constructible<__decay_t<_Fp>, _Fp>::value, "the function cannot be copied or moved");
    static_assert(__is_invocable_v<__decay_t<_Fp>, __decay_t<_Args>...>, "the function does not take these arguments");
    using _State = tuple<__decay_t<_Fp>, __decay_t<_Args>...>;
    _State* __state = new _State(std::forward<_Fp>(__f), std::forward<_Args>(__args)...);
    int __error     = ::pthread_create(&__t_, nullptr, &__thread_main<__decay_t<_Fp>, __decay_t<_Args>...>, __state);
    if (__error != 0)
      std::__throw_system_error(__error, "thread constructor failed");
  }

  thread(const thread&)            = delete;
  thread& operator=(const thread&) = delete;
  _LIBCPP_HIDE_FROM_ABI thread(thread&& __other) noexcept : __t_(__other.__t_) { __other.__t_ = 0; }
  _LIBCPP_HIDE_FROM_ABI thread& operator=(thread&& __other) noexcept {
    if (joinable())
      ::fl_uncaught("std::terminate: a std::thread is assigned to before it was joined or detached");
    __t_         = __other.__t_;
    __other.__t_ = 0;
    return *this;
  }
  _LIBCPP_HIDE_FROM_ABI ~thread() {
    if (joinable())
      ::fl_uncaught("std::terminate: a std::thread is destroyed before it was joined or detached");
  }

  _LIBCPP_HIDE_FROM_ABI void swap(thread& __other) noexcept { std::swap(__t_, __other.__t_); }
  [[nodiscard]] _LIBCPP_HIDE_FROM_ABI bool joinable() const noexcept { return __t_ != 0; }
  _LIBCPP_HIDE_FROM_ABI void join() {
    int __error = joinable() ? ::pthread_join(__t_, nullptr) : EINVAL;
    if (__error != 0)
      std::__throw_system_error(__error, "thread::join failed");
    __t_ = 0;
  }
  _LIBCPP_HIDE_FROM_ABI void detach() {
    int __error = joinable() ? ::pthread_detach(__t_) : EINVAL;
    if (__error != 0)
      std::__throw_system_error(__error, "thread::detach failed");
    __t_ = 0;
  }
  [[nodiscard]] _LIBCPP_HIDE_FROM_ABI id get_id() const noexcept { return id(__t_); }
  [[nodiscard]] _LIBCPP_HIDE_FROM_ABI native_handle_type native_handle() noexcept { return __t_; }
  /* As small as it can be while there is something to find. */
  [[nodiscard]] _LIBCPP_HIDE_FROM_ABI static unsigned hardware_concurrency() noexcept { return 2; }
};

_LIBCPP_HIDE_FROM_ABI inline void swap(thread& __x, thread& __y) noexcept { __x.swap(__y); }

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
