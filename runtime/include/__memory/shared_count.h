/* Counts of owners are atomics. Those that the library counts in its own code are counted here, where it shows. */
#include_next <__memory/shared_count.h>

#ifndef FAULTLINE_SHARED_COUNT
#define FAULTLINE_SHARED_COUNT

#include <__faultline.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

FL_INLINED void __shared_weak_count::__release_weak() noexcept {
  if (__atomic_fetch_add(&__shared_weak_owners_, -1, __ATOMIC_ACQ_REL) == 0)
    __on_zero_shared_weak();
}

FL_INLINED __shared_weak_count* __shared_weak_count::lock() noexcept {
  long __owners = __atomic_load_n(&__shared_owners_, __ATOMIC_SEQ_CST);
  while (__owners != -1)
    if (__atomic_compare_exchange_n(
            &__shared_owners_, &__owners, __owners + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return this;
  return nullptr;
}

_LIBCPP_END_NAMESPACE_STD

#endif
