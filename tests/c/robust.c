/* Mutexes whose owner ends holding them; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include "case.h"

static pthread_mutex_t mutex;
static int robust = PTHREAD_MUTEX_ROBUST;

static void *leave(void *argument) {
  (void)argument;
  assert(pthread_mutex_lock(&mutex) == 0);
  return 0;
}

static void *take(void *argument) {
  (void)argument;
  int result = pthread_mutex_lock(&mutex);
  if (result == EOWNERDEAD && CASE != 3) assert(pthread_mutex_consistent(&mutex) == 0);
  if (result != ENOTRECOVERABLE) pthread_mutex_unlock(&mutex);
  return (void *)(long)(result == EOWNERDEAD ? 1 : result == ENOTRECOVERABLE ? 2 : result);
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_mutexattr_t attributes;
  pthread_t a, b, c;
  void *first, *second;
  int given;
  pthread_mutexattr_init(&attributes);
  if (CASE == 4) {
    robust = PTHREAD_MUTEX_STALLED;
  }
  assert(pthread_mutexattr_setrobust(&attributes, robust) == 0);
  assert(pthread_mutexattr_getrobust(&attributes, &given) == 0 && given == robust);
  assert(pthread_mutexattr_setrobust(&attributes, 7) == EINVAL);
  assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
  pthread_mutex_init(&mutex, &attributes);
  assert(pthread_mutex_consistent(&mutex) == EINVAL);
  if (CASE == 1 || CASE == 3 || CASE == 4) {
    /* 1: somebody is told, and mends it. 3: nobody mends it. 4: not robust. */
    pthread_create(&a, 0, leave, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, take, 0);
    pthread_create(&c, 0, take, 0);
    pthread_join(b, &first);
    pthread_join(c, &second);
    printf("%ld%ld", (long)first, (long)second);
  } else if (CASE == 2) {
    /* The owner ends while another tries. */
    pthread_create(&a, 0, leave, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(b, &first);
    pthread_join(a, 0);
    int result = pthread_mutex_trylock(&mutex);
    printf("%ld%d", (long)first, result == EOWNERDEAD);
  }
  (void)a, (void)b, (void)c, (void)first, (void)second;
  return 0;
}
