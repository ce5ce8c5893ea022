/* Barriers; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "case.h"

static pthread_barrier_t b;
static int before[3], serial, x, y;

static void *worker(void *argument) {
  int i = (int)(long)argument;
  (void)i;
  if (CASE == 1) { /* nobody goes on before all have come; one is told so */
    before[i] = 1;
    int result = pthread_barrier_wait(&b);
    assert(before[0] && before[1]);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result) __atomic_add_fetch(&serial, 1, __ATOMIC_SEQ_CST);
  } else if (CASE == 2) { /* two rounds */
    if (i == 0) x = 1;
    pthread_barrier_wait(&b);
    assert(x == 1);
    pthread_barrier_wait(&b);
    if (i == 1) x = 2;
  } else if (CASE == 3 || CASE == 4) { /* one too few, one too many */
    pthread_barrier_wait(&b);
  } else if (CASE == 5) { /* whoever is told destroys it */
    pthread_barrier_t *barrier = argument;
    if (pthread_barrier_wait(barrier)) {
      assert(pthread_barrier_destroy(barrier) == 0);
      free(barrier);
    }
  } else if (CASE == 10) { /* destroyed under a waiter */
    pthread_barrier_wait(&b);
  }
  return 0;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t threads[3];
  (void)threads;
  if (CASE == 0) { /* what the calls return */
    pthread_barrierattr_t attributes;
    assert(pthread_barrierattr_init(&attributes) == 0);
    assert(pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_barrier_init(&b, &attributes, 0) == EINVAL);
    assert(pthread_barrier_init(&b, &attributes, 1) == 0);
    assert(pthread_barrierattr_destroy(&attributes) == 0);
    for (int i = 0; i < 3; i++) assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_barrier_destroy(&b) == 0);
  } else if (CASE == 8) {
    pthread_barrier_wait(&b);
  } else if (CASE == 9) {
    pthread_barrier_init(&b, 0, 1);
    pthread_barrier_destroy(&b);
    pthread_barrier_wait(&b);
  } else if (CASE == 10) {
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&threads[0], 0, worker, 0);
    pthread_barrier_destroy(&b);
    pthread_join(threads[0], 0);
  } else {
    void *argument = 0;
    if (CASE == 5) {
      argument = malloc(sizeof(pthread_barrier_t));
      pthread_barrier_init(argument, 0, 2);
    } else {
      pthread_barrier_init(&b, 0, CASE == 3 ? 3 : 2);
    }
    int n = CASE == 4 ? 3 : 2;
    for (long i = 0; i < n; i++) pthread_create(&threads[i], 0, worker, argument ? argument : (void *)i);
    for (int i = 0; i < n; i++) pthread_join(threads[i], 0);
    if (CASE == 1) assert(serial == 1);
    if (CASE == 2) assert(x == 2);
  }
  return y;
}
