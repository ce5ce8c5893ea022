/* Waits that name their clock: all clocks show the same time. */
#include "host.h"

#include <errno.h>
#include <semaphore.h>
#include <time.h>

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
int __wrap_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline);
int __wrap_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *deadline);
int __wrap_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *deadline);
int __wrap_sem_timedwait(sem_t *semaphore, const struct timespec *deadline);

static int fl_is_clock(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

__attribute__((weak)) int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                                 const struct timespec *deadline) {
  return fl_is_clock(clock) ? __wrap_pthread_cond_timedwait(condition, mutex, deadline) : EINVAL;
}

__attribute__((weak)) int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
  return fl_is_clock(clock) ? __wrap_pthread_mutex_timedlock(mutex, deadline) : EINVAL;
}

__attribute__((weak)) int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
  return fl_is_clock(clock) ? __wrap_pthread_rwlock_timedrdlock(lock, deadline) : EINVAL;
}

__attribute__((weak)) int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
  return fl_is_clock(clock) ? __wrap_pthread_rwlock_timedwrlock(lock, deadline) : EINVAL;
}

__attribute__((weak)) int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
  if (fl_is_clock(clock)) return __wrap_sem_timedwait(semaphore, deadline);
  errno = EINVAL;
  return -1;
}
