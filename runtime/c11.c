/*
 * C11 threads, which the system's libc declares and does not have, on top of POSIX threads. Their types have the same
 * layout in this libc. Weak: a program may have functions of its own by these names.
 */
#include "host.h"

#include <errno.h>
#include <sched.h>
#include <threads.h>

#define FL_C11 __attribute__((weak))

int __wrap_pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_join(pthread_t handle, void **result);
int __wrap_pthread_detach(pthread_t handle);
pthread_t __wrap_pthread_self(void);
_Noreturn void __wrap_pthread_exit(void *result);
int __wrap_pthread_once(pthread_once_t *control, void (*initialise)(void));

static int thrd_result(int code) {
  switch (code) {
  case 0: return thrd_success;
  case EBUSY: return thrd_busy;
  case ETIMEDOUT: return thrd_timedout;
  case ENOMEM:
  case EAGAIN: return thrd_nomem;
  default: return thrd_error;
  }
}

/* A function that returns int is called as one that returns a pointer: on this target they have the same type. */
FL_C11 int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  return thrd_result(__wrap_pthread_create((pthread_t *)thread, 0, (void *(*)(void *))start, argument));
}

FL_C11 int thrd_join(thrd_t thread, int *result) {
  return thrd_result(__wrap_pthread_join((pthread_t)thread, (void **)result)) == thrd_success ? thrd_success : thrd_error;
}

FL_C11 int thrd_detach(thrd_t thread) {
  return __wrap_pthread_detach((pthread_t)thread) == 0 ? thrd_success : thrd_error;
}

FL_C11 _Noreturn void thrd_exit(int result) { __wrap_pthread_exit((void *)(intptr_t)result); }

FL_C11 thrd_t thrd_current(void) { return (thrd_t)__wrap_pthread_self(); }

FL_C11 int(thrd_equal)(thrd_t a, thrd_t b) { return a == b; }

FL_C11 void call_once(once_flag *flag, void (*initialise)(void)) { __wrap_pthread_once(flag, initialise); }

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

FL_C11 int mtx_init(mtx_t *mutex, int type) {
  pthread_mutexattr_t attributes = {type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL};
  if (type & ~(mtx_recursive | mtx_timed)) return thrd_error;
  return thrd_result(__wrap_pthread_mutex_init((pthread_mutex_t *)mutex, &attributes));
}

FL_C11 void mtx_destroy(mtx_t *mutex) { __wrap_pthread_mutex_destroy((pthread_mutex_t *)mutex); }

FL_C11 int mtx_lock(mtx_t *mutex) { return thrd_result(__wrap_pthread_mutex_lock((pthread_mutex_t *)mutex)); }

FL_C11 int mtx_trylock(mtx_t *mutex) { return thrd_result(__wrap_pthread_mutex_trylock((pthread_mutex_t *)mutex)); }

FL_C11 int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline) {
  return thrd_result(__wrap_pthread_mutex_timedlock((pthread_mutex_t *)mutex, deadline));
}

FL_C11 int mtx_unlock(mtx_t *mutex) { return thrd_result(__wrap_pthread_mutex_unlock((pthread_mutex_t *)mutex)); }

int __wrap_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int __wrap_pthread_cond_destroy(pthread_cond_t *condition);
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
int __wrap_pthread_cond_signal(pthread_cond_t *condition);
int __wrap_pthread_cond_broadcast(pthread_cond_t *condition);

FL_C11 int cnd_init(cnd_t *condition) { return thrd_result(__wrap_pthread_cond_init((pthread_cond_t *)condition, 0)); }

FL_C11 void cnd_destroy(cnd_t *condition) { __wrap_pthread_cond_destroy((pthread_cond_t *)condition); }

FL_C11 int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  return thrd_result(__wrap_pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

FL_C11 int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict deadline) {
  return thrd_result(
      __wrap_pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, deadline));
}

FL_C11 int cnd_signal(cnd_t *condition) { return thrd_result(__wrap_pthread_cond_signal((pthread_cond_t *)condition)); }

FL_C11 int cnd_broadcast(cnd_t *condition) {
  return thrd_result(__wrap_pthread_cond_broadcast((pthread_cond_t *)condition));
}

int __wrap_pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int __wrap_pthread_key_delete(pthread_key_t key);
void *__wrap_pthread_getspecific(pthread_key_t key);
int __wrap_pthread_setspecific(pthread_key_t key, const void *value);

FL_C11 int tss_create(tss_t *key, tss_dtor_t destructor) {
  return __wrap_pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}

FL_C11 void tss_delete(tss_t key) { __wrap_pthread_key_delete(key); }

FL_C11 void *tss_get(tss_t key) { return __wrap_pthread_getspecific(key); }

FL_C11 int tss_set(tss_t key, void *value) {
  return __wrap_pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}
