/* Scheduling parameters, priority ceilings, waits that name their clock. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t m;
static int outcome;

static void set(pthread_t thread, int policy, int priority, int expected) {
  struct sched_param parameters = {.sched_priority = priority};
  assert(pthread_setschedparam(thread, policy, &parameters) == expected);
}

static void check(pthread_t thread, int policy, int priority) {
  struct sched_param parameters;
  int found;
  assert(pthread_getschedparam(thread, &found, &parameters) == 0);
  assert(found == policy && parameters.sched_priority == priority);
}

static void *inherits(void *argument) {
  check(pthread_self(), SCHED_FIFO, 20);
  return argument;
}

static void *explicitly(void *argument) {
  check(pthread_self(), SCHED_RR, 30);
  return argument;
}

/* Whether it may lock depends on who comes first, it or the one who raises its priority. */
static void *locks(void *argument) {
  int error = pthread_mutex_lock(&m);
  outcome = error;
  assert(error == 0 || error == EINVAL);
  if (!error) assert(pthread_mutex_unlock(&m) == 0);
  return argument;
}

int main(int argc, char **argv) {
  pthread_t thread;
  pthread_mutexattr_t attributes;
  pthread_attr_t of_thread;
  struct sched_param thirty = {.sched_priority = 30}, found = {.sched_priority = 100};
  int value;
  (void)argv;
  assert(sched_get_priority_max(SCHED_FIFO) == 99 && sched_get_priority_min(SCHED_RR) == 1);
  assert(sched_get_priority_max(SCHED_OTHER) == 0 && sched_get_priority_max(77) == -1 && errno == EINVAL);
  check(pthread_self(), SCHED_OTHER, 0);
  set(pthread_self(), SCHED_OTHER, 1, EINVAL);
  set(pthread_self(), 9, 1, EINVAL);
  set(pthread_self(), SCHED_FIFO, 100, EINVAL);
  set((pthread_t)77, SCHED_FIFO, 1, ESRCH);
  set(pthread_self(), SCHED_FIFO, 10, 0);
  assert(pthread_setschedprio(pthread_self(), 20) == 0);
  assert(pthread_setschedprio(pthread_self(), 0) == EINVAL);
  check(pthread_self(), SCHED_FIFO, 20);

  assert(pthread_mutexattr_init(&attributes) == 0);
  assert(pthread_mutexattr_setprioceiling(&attributes, 0) == EINVAL);
  assert(pthread_mutexattr_setprioceiling(&attributes, 100) == EINVAL);
  assert(pthread_mutex_init(&m, &attributes) == 0);
  assert(pthread_mutex_getprioceiling(&m, &value) == EINVAL);
  assert(pthread_mutex_setprioceiling(&m, 20, 0) == EINVAL);
  assert(pthread_mutex_destroy(&m) == 0);
  assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT) == 0);
  assert(pthread_mutexattr_getprioceiling(&attributes, &value) == 0 && value == 99);
  assert(pthread_mutexattr_setprioceiling(&attributes, 15) == 0);
  assert(pthread_mutexattr_getprioceiling(&attributes, &value) == 0 && value == 15);
  assert(pthread_mutexattr_getprotocol(&attributes, &value) == 0 && value == PTHREAD_PRIO_PROTECT);
  assert(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK) == 0);
  assert(pthread_mutex_init(&m, &attributes) == 0);
  assert(pthread_mutex_lock(&m) == EINVAL && pthread_mutex_trylock(&m) == EINVAL);
  assert(pthread_mutex_setprioceiling(&m, 100, &value) == EINVAL);
  assert(pthread_mutex_setprioceiling(&m, 25, &value) == 0 && value == 15);
  assert(pthread_mutex_getprioceiling(&m, &value) == 0 && value == 25);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_setprioceiling(&m, 30, &value) == EDEADLK);
  assert(pthread_mutex_unlock(&m) == 0);

  if (argc > 1) { /* A second thread, whose priority is raised. */
    pthread_create(&thread, 0, locks, 0);
    set(thread, SCHED_FIFO, 26, 0);
    assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
    pthread_join(thread, 0);
    return outcome == EINVAL ? 3 : 4;
  }
  assert(pthread_create(&thread, 0, inherits, 0) == 0 && pthread_join(thread, 0) == 0);
  assert(pthread_attr_init(&of_thread) == 0);
  assert(pthread_attr_setinheritsched(&of_thread, PTHREAD_EXPLICIT_SCHED) == 0);
  assert(pthread_attr_setschedpolicy(&of_thread, SCHED_RR) == 0);
  assert(pthread_attr_setschedparam(&of_thread, &found) == EINVAL);
  assert(pthread_create(&thread, &of_thread, explicitly, 0) == EINVAL);
  assert(pthread_attr_setschedparam(&of_thread, &thirty) == 0);
  assert(pthread_attr_getschedparam(&of_thread, &found) == 0 && found.sched_priority == 30);
  assert(pthread_create(&thread, &of_thread, explicitly, 0) == 0 && pthread_join(thread, 0) == 0);

  struct timespec now;
  pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &now) == 0);
  assert(pthread_cond_clockwait(&condition, &plain, CLOCK_MONOTONIC, &now) == ETIMEDOUT);
  assert(pthread_cond_clockwait(&condition, &plain, (clockid_t)&now, &now) == EINVAL);
  assert(pthread_mutex_unlock(&plain) == 0);
  assert(pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &now) == 0 && pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK_REALTIME, &now) == 0 && pthread_rwlock_unlock(&lock) == 0);
  assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &now) == -1 && errno == ETIMEDOUT);
  assert(sem_clockwait(&semaphore, (clockid_t)&now, &now) == -1 && errno == EINVAL);
  struct timespec resolution, again;
  assert(clock_getres(CLOCK_MONOTONIC, &resolution) == 0 && resolution.tv_sec == 0 && resolution.tv_nsec > 0);
  assert(timespec_get(&again, TIME_UTC) == TIME_UTC && again.tv_sec >= now.tv_sec);
  assert(pthread_yield() == 0);

  void *place;
  static char stack[65536];
  size_t size;
  assert(pthread_attr_setscope(&of_thread, PTHREAD_SCOPE_PROCESS) == 0);
  assert(pthread_attr_getscope(&of_thread, &value) == 0 && value == PTHREAD_SCOPE_PROCESS);
  assert(pthread_attr_setstack(&of_thread, stack, 1) == EINVAL);
  assert(pthread_attr_setstack(&of_thread, stack, sizeof stack) == 0);
  assert(pthread_attr_getstack(&of_thread, &place, &size) == 0 && place == stack && size == sizeof stack);
  pthread_rwlockattr_t of_lock;
  pthread_barrierattr_t of_barrier;
  assert(pthread_rwlockattr_init(&of_lock) == 0 && pthread_barrierattr_init(&of_barrier) == 0);
  assert(pthread_rwlockattr_getpshared(&of_lock, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
  assert(pthread_rwlockattr_setpshared(&of_lock, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_rwlockattr_getpshared(&of_lock, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
  assert(pthread_barrierattr_setpshared(&of_barrier, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_barrierattr_getpshared(&of_barrier, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
  assert(pthread_setname_np(pthread_self(), "a name") == 0);
  assert(pthread_setname_np(pthread_self(), "a name that is too long") == ERANGE);
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "a name") == 0);
  assert(pthread_getname_np(pthread_self(), name, 6) == ERANGE);
  return 0;
}
