/* Condition variables; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include "case.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, awake, held;

static void *waiter(void *argument) {
  pthread_mutex_lock(&m);
  if (CASE == 2) {
    pthread_cond_wait(&c, &m);
    assert(ready);
  } else if (CASE == 6) {
    struct timespec never = {0, 0};
    int code = pthread_cond_timedwait(&c, &m, &never);
    assert(held == 0);
    held = 1;
    assert(code == 0 || code == ETIMEDOUT);
    printf("%s", code == 0 ? "signalled" : "timed out");
    held = 0;
  } else {
    while (!ready) pthread_cond_wait(&c, &m);
  }
  awake++;
  pthread_mutex_unlock(&m);
  return argument;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t threads[2];
  int waiters = CASE == 3 || CASE == 4 || CASE == 5 ? 2 : 1;
  for (int i = 0; i < waiters; i++) pthread_create(&threads[i], 0, waiter, 0);
  if (CASE == 1 || CASE == 2) { /* 1: right; 2: the signal may come before the wait, and be lost */
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  } else if (CASE == 3) { /* one signal wakes one of two */
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  } else if (CASE == 4) { /* a broadcast wakes all */
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
  } else if (CASE == 5) { /* two signals, sent without holding the mutex */
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
    pthread_cond_signal(&c);
  } else if (CASE == 6) { /* a timed wait ends either way */
    pthread_mutex_lock(&m);
    assert(held == 0);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  for (int i = 0; i < waiters; i++) pthread_join(threads[i], 0);
  assert(awake == waiters);
  return 0;
}
