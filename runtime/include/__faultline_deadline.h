/* Points in time as the machine takes them: all its clocks show the same time, each thread its own. */
#ifndef FAULTLINE_DEADLINE_H
#define FAULTLINE_DEADLINE_H

#include <__chrono/duration.h>
#include <__chrono/steady_clock.h>
#include <__chrono/time_point.h>
#include <__config>
#include <__faultline.h>
#include <time.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

struct __deadline {
  timespec __time_;

  template <class _Rep, class _Period>
  _LIBCPP_HIDE_FROM_ABI explicit __deadline(const chrono::duration<_Rep, _Period>& __left) {
    long long __ns = chrono::duration_cast<chrono::nanoseconds>(__left).count();
    ::clock_gettime(CLOCK_REALTIME, &__time_);
    if (__ns > 0) {
      __ns += __time_.tv_nsec;
      __time_.tv_sec += __ns / 1000000000;
      __time_.tv_nsec = __ns % 1000000000;
    }
  }
  template <class _Clock, class _Duration>
  _LIBCPP_HIDE_FROM_ABI explicit __deadline(const chrono::time_point<_Clock, _Duration>& __at)
      : __deadline(__at - _Clock::now()) {}

  _LIBCPP_HIDE_FROM_ABI operator const timespec*() const { return &__time_; }
};

_LIBCPP_END_NAMESPACE_STD

#endif
