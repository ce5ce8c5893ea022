/* Waiting for an atomic to change, and waking who waits. */
#ifndef _LIBCPP___ATOMIC_ATOMIC_SYNC_H
#define _LIBCPP___ATOMIC_ATOMIC_SYNC_H

#include <__atomic/atomic_waitable_traits.h>
#include <__atomic/contention_t.h>
#include <__atomic/memory_order.h>
#include <__config>
#include <__faultline.h>
#include <__memory/addressof.h>
#include <__type_traits/decay.h>
#include <cstring>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

#if _LIBCPP_STD_VER >= 20

template <class _Tp>
_LIBCPP_HIDE_FROM_ABI inline bool __cxx_nonatomic_compare_equal(_Tp const& __a, _Tp const& __b) {
  return __builtin_memcmp(std::addressof(__a), std::addressof(__b), sizeof(_Tp)) == 0;
}

/* Returns once the predicate, given the value of the atomic, holds. */
template <class _Waitable, class _Poll>
_LIBCPP_HIDE_FROM_ABI inline void __atomic_wait_unless(const _Waitable& __a, memory_order __order, _Poll&& __poll) {
  using _Traits = __atomic_waitable_traits<__decay_t<_Waitable> >;
  for (;;) {
    auto __value = _Traits::__atomic_load(__a, __order);
    auto __seen  = __value;
    if (__poll(__value))
      return;
    ::fl_atomic_wait(_Traits::__atomic_contention_address(__a), std::addressof(__seen), sizeof(__seen));
  }
}

template <class _Waitable, class _Tp>
_LIBCPP_HIDE_FROM_ABI inline void __atomic_wait(_Waitable& __a, _Tp __old, memory_order __order) {
  using _Traits = __atomic_waitable_traits<__decay_t<_Waitable> >;
  for (;;) {
    _Tp __value = _Traits::__atomic_load(__a, __order);
    if (!std::__cxx_nonatomic_compare_equal(__value, __old))
      return;
    ::fl_atomic_wait(_Traits::__atomic_contention_address(__a), std::addressof(__old), sizeof(_Tp));
  }
}

template <class _Waitable>
_LIBCPP_HIDE_FROM_ABI inline void __atomic_notify_one(const _Waitable& __a) {
  ::fl_atomic_notify(__atomic_waitable_traits<__decay_t<_Waitable> >::__atomic_contention_address(__a), 0);
}

template <class _Waitable>
_LIBCPP_HIDE_FROM_ABI inline void __atomic_notify_all(const _Waitable& __a) {
  ::fl_atomic_notify(__atomic_waitable_traits<__decay_t<_Waitable> >::__atomic_contention_address(__a), 1);
}

#endif

_LIBCPP_END_NAMESPACE_STD

#endif
