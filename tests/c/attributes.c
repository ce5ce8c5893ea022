/* Attributes; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m;
static pthread_cond_t c;
static int detached;

static void *worker(void *argument) {
  detached = 1;
  return argument;
}

int main(void) {
  pthread_mutexattr_t mutex;
  int value;
  assert(pthread_mutexattr_init(&mutex) == 0);
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_condattr_t condition;
  size_t size;
  clockid_t clock;
  assert(pthread_mutexattr_setrobust(&mutex, PTHREAD_MUTEX_STALLED) == 0);
  assert(pthread_mutexattr_setrobust(&mutex, 5) == EINVAL);
  assert(pthread_mutexattr_getrobust(&mutex, &value) == 0 && value == PTHREAD_MUTEX_STALLED);
  for (int protocol = PTHREAD_PRIO_NONE; protocol <= PTHREAD_PRIO_PROTECT; protocol++) {
    assert(pthread_mutexattr_setprotocol(&mutex, protocol) == 0);
    assert(pthread_mutexattr_getprotocol(&mutex, &value) == 0 && value == protocol);
  }
  assert(pthread_mutexattr_setprotocol(&mutex, 7) == EINVAL);
  assert(pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_mutexattr_getpshared(&mutex, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
  assert(pthread_mutexattr_settype(&mutex, 9) == EINVAL);
  assert(pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_ERRORCHECK) == 0);
  assert(pthread_mutexattr_gettype(&mutex, &value) == 0 && value == PTHREAD_MUTEX_ERRORCHECK);
  /* The type counts whatever else was set. */
  assert(pthread_mutex_init(&m, &mutex) == 0);
  assert(pthread_mutex_unlock(&m) == EPERM);
  assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_lock(&m) == EDEADLK && pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_destroy(&m) == 0);
  assert(pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT) == 0);
  assert(pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutex_init(&m, &mutex) == 0);
  assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_unlock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutexattr_destroy(&mutex) == 0);

  assert(pthread_condattr_init(&condition) == 0);
  assert(pthread_condattr_getclock(&condition, &clock) == 0 && clock == CLOCK_REALTIME);
  assert(pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_condattr_setclock(&condition, CLOCK_MONOTONIC) == 0);
  assert(pthread_condattr_getclock(&condition, &clock) == 0 && clock == CLOCK_MONOTONIC);
  assert(pthread_condattr_getpshared(&condition, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
  assert(pthread_cond_init(&c, &condition) == 0 && pthread_cond_signal(&c) == 0);
  assert(pthread_condattr_destroy(&condition) == 0);

  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_setstacksize(&attributes, 65536) == 0);
  assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size == 65536);
  assert(pthread_attr_setstacksize(&attributes, 1) == EINVAL);
  assert(pthread_attr_setguardsize(&attributes, 4096) == 0);
  assert(pthread_attr_getguardsize(&attributes, &size) == 0 && size == 4096);
  assert(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM) == 0);
  assert(pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED) == 0);
  assert(pthread_attr_setschedpolicy(&attributes, SCHED_RR) == 0);
  assert(pthread_attr_getschedpolicy(&attributes, &value) == 0 && value == SCHED_RR);
  assert(pthread_attr_getinheritsched(&attributes, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
  assert(pthread_attr_setdetachstate(&attributes, 7) == EINVAL);
  /* The least priority of this policy is 1. */
  assert(pthread_create(&thread, &attributes, worker, 0) == EINVAL);
  assert(pthread_attr_setschedparam(&attributes, &(struct sched_param){.sched_priority = 1}) == 0);
  assert(pthread_create(&thread, &attributes, worker, 0) == 0);
  assert(pthread_join(thread, 0) == 0 && detached == 1);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&attributes, &value) == 0 && value == PTHREAD_CREATE_DETACHED);
  assert(pthread_create(&thread, &attributes, worker, 0) == 0);
  assert(pthread_attr_destroy(&attributes) == 0);
  return 0;
}
