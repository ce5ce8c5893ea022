/* One misuse of a lock each, chosen by CASE. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include "case.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *other(void *argument) {
  if (CASE == 2) {
    pthread_mutex_unlock(&m);
  } else if (CASE == 8) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_wait(&c, &m);
  }
  return argument;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t thread;
  (void)thread;
  if (CASE == 1) { /* unlock of a free mutex */
    pthread_mutex_unlock(&m);
  } else if (CASE == 2) { /* unlock by another thread */
    pthread_mutex_lock(&m);
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
  } else if (CASE == 3) { /* lock of a normal mutex by its owner */
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
  } else if (CASE == 4) { /* wait without the mutex */
    pthread_cond_wait(&c, &m);
  } else if (CASE == 5) { /* destroyed while held */
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m);
  } else if (CASE == 6) { /* used after it was destroyed */
    pthread_mutex_destroy(&m);
    pthread_mutex_lock(&m);
  } else if (CASE == 7) { /* never initialised */
    pthread_mutex_t *garbage = (pthread_mutex_t *)(void *)(int[6]){12345, 678, 9, 1, 2, 3};
    pthread_mutex_lock(garbage);
  } else if (CASE == 8) { /* condition variable destroyed under a waiter */
    int done = 0;
    pthread_create(&thread, 0, other, 0);
    while (!done) {
      pthread_mutex_lock(&m);
      done = ready;
      pthread_mutex_unlock(&m);
    }
    pthread_cond_destroy(&c);
  } else if (CASE == 9) { /* wait with a mutex locked twice */
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attributes);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
  } else if (CASE == 10) { /* null */
    pthread_mutex_lock(0);
  } else if (CASE == 11) { /* what has an error code returns it, where that is asked for */
    assert(pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_cond_wait(&c, &m) == EPERM);
    pthread_mutex_lock(&m);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    assert(pthread_mutex_destroy(&m) == EBUSY);
    pthread_mutex_unlock(&m);
    pthread_create(&thread, 0, other, 0);
    assert(pthread_join(thread, 0) == 0);
    assert(pthread_join(thread, 0) == EINVAL);
    assert(pthread_detach(thread) == EINVAL);
  } else if (CASE == 12) { /* a bug that comes after a misuse */
    pthread_mutex_unlock(&m);
    assert(ready == 1);
  }
  return 0;
}
