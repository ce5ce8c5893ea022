/* std::call_once as one operation that waits, and one that lets the others go. */
#ifndef _LIBCPP___MUTEX_ONCE_FLAG_H
#define _LIBCPP___MUTEX_ONCE_FLAG_H

#include <__config>
#include <__faultline.h>
#include <__type_traits/invoke.h>
#include <__utility/forward.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

/* As large as the library's: objects of the library have such members. */
struct once_flag {
  _LIBCPP_HIDE_FROM_ABI constexpr once_flag() noexcept : __state_(0) {}
  once_flag(const once_flag&)            = delete;
  once_flag& operator=(const once_flag&) = delete;

private:
  unsigned long __state_;

  template <class _Fp, class... _Args>
  _LIBCPP_HIDE_FROM_ABI friend void call_once(once_flag&, _Fp&&, _Args&&...);
};

/* What is called may throw: then it does not count. */
struct __once_call {
  void* __control_;
  bool __done_;
  _LIBCPP_HIDE_FROM_ABI ~__once_call() {
    if (__done_)
      ::fl_once_leave(__control_);
    else
      ::fl_once_abort(__control_);
  }
};

template <class _Fp, class... _Args>
_LIBCPP_HIDE_FROM_ABI inline void call_once(once_flag& __flag, _Fp&& __f, _Args&&... __args) {
  if (::fl_once_enter(&__flag.__state_)) {
    __once_call __call = {&__flag.__state_, false};
    std::__invoke(std::forward<_Fp>(__f), std::forward<_Args>(__args)...);
    __call.__done_ = true;
  }
}

_LIBCPP_END_NAMESPACE_STD

#endif
