/*
 * The system's pthread.h leaves out what its own libc lacks. Declared again here: what the runtime provides works,
 * the rest is refused by name when the program is built.
 */
#include_next <pthread.h>

#ifndef FAULTLINE_PTHREAD_H
#define FAULTLINE_PTHREAD_H

#include <sched.h>

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((noreturn)) void pthread_exit(void *);

/* A cancelled thread runs its cleanup handlers, and in C++ the destructors of what it has on its stack: by exceptions. */
#if defined(__cplusplus) && !defined(__cpp_exceptions)
int pthread_cancel(pthread_t) __asm__("pthread_cancel_in_cxx");
#else
int pthread_cancel(pthread_t);
#endif

struct sched_param;
int pthread_getschedparam(pthread_t, int *, struct sched_param *);
int pthread_setschedparam(pthread_t, int, const struct sched_param *);
int pthread_attr_getschedparam(const pthread_attr_t *, struct sched_param *);
int pthread_attr_setschedparam(pthread_attr_t *, const struct sched_param *);

int pthread_mutex_clocklock(pthread_mutex_t *, clockid_t, const struct timespec *);
int pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *, clockid_t, const struct timespec *);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *, clockid_t, const struct timespec *);

/* Names that programs written for glibc use. */
int pthread_setname_np(pthread_t, const char *);
int pthread_getname_np(pthread_t, char *, __SIZE_TYPE__);
int pthread_setaffinity_np(pthread_t, __SIZE_TYPE__, const cpu_set_t *);
int pthread_getaffinity_np(pthread_t, __SIZE_TYPE__, cpu_set_t *);
int pthread_attr_setaffinity_np(pthread_attr_t *, __SIZE_TYPE__, const cpu_set_t *);
int pthread_attr_getaffinity_np(const pthread_attr_t *, __SIZE_TYPE__, cpu_set_t *);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *, int);
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *, int *);
int pthread_tryjoin_np(pthread_t, void **);
int pthread_timedjoin_np(pthread_t, void **, const struct timespec *);
int pthread_yield(void) __asm__("sched_yield");

#ifndef PTHREAD_MUTEX_TIMED_NP
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_ADAPTIVE_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#endif

/* As with glibc, the second lets readers go first all the same. */
#ifndef PTHREAD_RWLOCK_PREFER_READER_NP
#define PTHREAD_RWLOCK_PREFER_READER_NP 0
#define PTHREAD_RWLOCK_PREFER_WRITER_NP 1
#define PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP 2
#define PTHREAD_RWLOCK_DEFAULT_NP PTHREAD_RWLOCK_PREFER_READER_NP
#endif

/* The type of a mutex is its first word. */
#ifndef PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {{{PTHREAD_MUTEX_RECURSIVE}}}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP {{{PTHREAD_MUTEX_ERRORCHECK}}}
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP {{{PTHREAD_MUTEX_NORMAL}}}
#endif

#ifdef __cplusplus
}
#endif

/* Handlers of C++ run in their turn among destructors, also when an exception leaves the block. */
#ifdef __cpp_exceptions
extern "C" void __faultline_call_cleanup(void (*)(void *), void *);

struct __faultline_cleanup {
  void (*__function)(void *);
  void *__argument;
  int __runs;
  __attribute__((__always_inline__, __nodebug__)) ~__faultline_cleanup() {
    if (__runs) __faultline_call_cleanup(__function, __argument);
  }
};

#undef pthread_cleanup_push
#undef pthread_cleanup_pop
#define pthread_cleanup_push(function, argument)                                                                       \
  do {                                                                                                                 \
    __faultline_cleanup __faultline_entry = {function, argument, 1};
#define pthread_cleanup_pop(run)                                                                                       \
  __faultline_entry.__runs = (run);                                                                                    \
  }                                                                                                                    \
  while (0)
#endif

#endif
