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

/* A cancelled thread runs its cleanup handlers; in C++ it would have to run destructors too, which takes exceptions. */
#ifdef __cplusplus
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

/* The type of a mutex is its first word. */
#ifndef PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {{{PTHREAD_MUTEX_RECURSIVE}}}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP {{{PTHREAD_MUTEX_ERRORCHECK}}}
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP {{{PTHREAD_MUTEX_NORMAL}}}
#endif

#ifdef __cplusplus
}
#endif

#endif
