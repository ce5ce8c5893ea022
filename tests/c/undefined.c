/* What POSIX leaves undefined, or defines to be an error, and what comes of it; the argument chooses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;

static void init(pthread_mutex_t *mutex, int type, int robust) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robust);
  pthread_mutex_init(mutex, &attributes);
}

static void *unlock(void *argument) {
  return (void *)(intptr_t)pthread_mutex_unlock(argument);
}

static void *wait_with(void *mutex) {
  pthread_mutex_lock(mutex);
  pthread_cond_wait(&c, mutex);
  pthread_mutex_unlock(mutex);
  return 0;
}

static void *wait_for_permit(void *argument) {
  sem_wait(&s);
  return argument;
}

static void *first_a(void *argument) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return argument;
}

static void *first_b(void *argument) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return argument;
}

static void *keep_a(void *argument) {
  pthread_mutex_lock(&a);
  return argument;
}

static void *nothing(void *argument) { return argument; }

/* The code that another thread gets for unlocking a mutex that main holds. */
static int code_of_other(int type, int robust) {
  pthread_t thread;
  void *code;
  init(&a, type, robust);
  pthread_mutex_lock(&a);
  pthread_create(&thread, 0, unlock, &a);
  pthread_join(thread, &code);
  pthread_mutex_unlock(&a);
  return (int)(intptr_t)code;
}

int main(int argc, char **argv) {
  pthread_t one, two;
  pthread_attr_t attributes;
  switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: /* unlocking what another holds is an error where the type says so */
      assert(code_of_other(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED) == EPERM);
      assert(code_of_other(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED) == EPERM);
      assert(code_of_other(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST) == EPERM);
      init(&b, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
      assert(pthread_mutex_unlock(&b) == EPERM);
      break;
    case 2: /* and a misuse where it does not */
      code_of_other(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
      break;
    case 3: /* locking a normal mutex twice is a deadlock */
      init(&a, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
      pthread_mutex_lock(&a);
      pthread_mutex_lock(&a);
      break;
    case 4: /* blocks whose size is no number */
      assert(calloc(SIZE_MAX / 2, 3) == 0 && errno == ENOMEM);
      assert(calloc(0x10001, 0x10001) == 0);
      break;
    case 5: /* one condition variable, two mutexes */
      pthread_create(&one, 0, wait_with, &a);
      pthread_create(&two, 0, wait_with, &b);
      pthread_join(one, 0);
      break;
    case 6: /* joined twice */
      pthread_create(&one, 0, nothing, 0);
      pthread_join(one, 0);
      pthread_join(one, 0);
      break;
    case 7: /* joined although it was created detached */
      pthread_attr_init(&attributes);
      pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
      pthread_create(&one, &attributes, nothing, 0);
      pthread_join(one, 0);
      break;
    case 8: /* a semaphore destroyed under a waiter */
      sem_init(&s, 0, 0);
      pthread_create(&one, 0, wait_for_permit, 0);
      sem_destroy(&s);
      pthread_join(one, 0);
      break;
    case 9: /* a deadlock of threads that nobody waits for */
    case 10:
      pthread_create(&one, 0, first_a, 0);
      pthread_create(&two, 0, atoi(argv[1]) == 9 ? first_b : first_a, 0);
      break;
    case 11: /* a thread left behind that waits for what nobody ever posts is no deadlock */
      sem_init(&s, 0, 0);
      pthread_create(&one, 0, wait_for_permit, 0);
      break;
    case 12: /* but one that waits for a mutex whose holder has ended is, joined or not */
    case 13:
      pthread_create(&one, 0, keep_a, 0);
      pthread_create(&two, 0, first_a, 0);
      if (atoi(argv[1]) == 13) pthread_join(two, 0);
      break;
  }
  return 0;
}
