/*
 * Intrinsics of x86 that mean something on every machine: hints to the processor, fences, the time stamp counter,
 * transactions. Those that compute with vectors are not here.
 */
#ifndef FAULTLINE_X86_H
#define FAULTLINE_X86_H

#include <__faultline_transactions.h>
#include <time.h>

#define FL_X86 static __inline__ __attribute__((__always_inline__, __nodebug__, __unused__))

#ifdef __cplusplus
extern "C" {
#endif

/* A hint in loops that wait; such loops are recognised by what they read. */
FL_X86 void _mm_pause(void) {}

/* Loads and stores of x86 are never weaker than acquire and release; a full fence is one here, too. */
FL_X86 void _mm_mfence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
FL_X86 void _mm_lfence(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
FL_X86 void _mm_sfence(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }

FL_X86 void _mm_clflush(const void *address) { (void)address; }

/* Nanoseconds stand for cycles. */
FL_X86 unsigned long long __rdtsc(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}
FL_X86 unsigned long long __rdtscp(unsigned int *processor) {
  *processor = 0;
  return __rdtsc();
}

/* Transactions: a begin returns _XBEGIN_STARTED, or a second time with bits that say why it aborted. */
#define _XBEGIN_STARTED (~0u)
#define _XABORT_EXPLICIT (1u << 0)
#define _XABORT_RETRY (1u << 1)
#define _XABORT_CONFLICT (1u << 2)
#define _XABORT_CAPACITY (1u << 3)
#define _XABORT_DEBUG (1u << 4)
#define _XABORT_NESTED (1u << 5)
#define _XABORT_CODE(status) (((status) >> 24) & 0xFFu)
FL_X86 unsigned int _xbegin(void) { return (unsigned int)fl_xbegin(0); }
FL_X86 void _xend(void) { fl_xend(); }
FL_X86 int _xtest(void) { return fl_xtest(); }
#define _xabort(code) fl_xabort((int)(code))

#ifdef __cplusplus
}
#endif

enum _mm_hint { _MM_HINT_NTA = 0, _MM_HINT_T0 = 3, _MM_HINT_T1 = 2, _MM_HINT_T2 = 1 };
#define _mm_prefetch(address, hint) ((void)(address), (void)(hint))

#endif
