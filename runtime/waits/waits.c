/*
 * Waits of programs whose threads send each other signals: before a thread waits it takes those that were sent to it.
 *
 * One that comes while the thread waits already is not taken. Nothing is lost: a wait changes nothing that others could
 * see, so the handler might as well have run right before, which is another schedule; and where nobody can go on while
 * such a signal is due, the machine drops the execution (machine/signals.ts). A wait on a condition variable does change
 * something, when it begins, and so it has two parts, with a look for signals in between.
 */
#include "host.h"

#include <errno.h>
#include <semaphore.h>

/* In signals.c. */
_Bool fl_take_signals_now(void);

/* The machine's function of that name, where the name itself is ours. */
#define FL_MACHINE(name) __attribute__((import_module("env"), import_name(#name)))

FL_HOST(fl_cond_enter) int fl_cond_enter(pthread_cond_t *condition, pthread_mutex_t *mutex, int timed);
FL_HOST(fl_cond_leave) int fl_cond_leave(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);

/* What fl_cond_enter says when the thread has begun to wait. */
#define FL_ENTERED (-1)

#define FL_WAIT(type, name, parameters, arguments)                                                                     \
  FL_MACHINE(name) type fl_machine_##name parameters;                                                                  \
  type name parameters {                                                                                               \
    fl_take_signals_now();                                                                                             \
    return fl_machine_##name arguments;                                                                                \
  }

FL_WAIT(int, __wrap_pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
FL_WAIT(int, __wrap_pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
FL_WAIT(int, __wrap_pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
FL_WAIT(int, __wrap_pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
FL_WAIT(int, __wrap_pthread_barrier_wait, (pthread_barrier_t * barrier), (barrier))
FL_WAIT(int, __wrap_pthread_join, (pthread_t thread, void **result), (thread, result))
FL_WAIT(int, fl_once_enter, (pthread_once_t * control), (control))
FL_WAIT(void, fl_atomic_wait, (const volatile void *address, const void *expected, size_t size), (address, expected, size))
FL_WAIT(void, fl_semaphore_acquire, (void *semaphore), (semaphore))
FL_WAIT(void, fl_latch_wait, (const void *latch), (latch))
FL_WAIT(void, fl_barrier_wait, (void *barrier, unsigned long phase), (barrier, phase))

/* A signal that comes right before the call does not interrupt it; one that comes in it does. */
FL_MACHINE(__wrap_sem_wait) int fl_machine_sem_wait(sem_t *semaphore);
int __wrap_sem_wait(sem_t *semaphore) {
  fl_take_signals_now();
  if (fl_take_signals_now()) {
    errno = EINTR;
    return -1;
  }
  return fl_machine_sem_wait(semaphore);
}

static int fl_wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  fl_take_signals_now();
  int result = fl_cond_enter(condition, mutex, deadline != 0);
  if (result != FL_ENTERED) return result;
  fl_take_signals_now();
  return fl_cond_leave(condition, mutex, deadline);
}

int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  return fl_wait_on(condition, mutex, 0);
}
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  return fl_wait_on(condition, mutex, deadline);
}
