/* A number is guarded by one lock in some places and by another in others. */
#include <assert.h>
#include <pthread.h>
#ifndef THREADS
#define THREADS 2
#endif
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;
static int number;

static void *add(void *guard) {
  pthread_mutex_lock(guard);
  int before = number;
  number = before + 1; // cause
  assert(number == before + 1);
  pthread_mutex_unlock(guard);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  pthread_create(&threads[0], 0, add, &right);
  for (int i = 1; i < THREADS; i++) {
#ifdef BUG
    pthread_create(&threads[i], 0, add, &wrong); // cause
#else
    pthread_create(&threads[i], 0, add, &right);
#endif
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  (void)wrong;
}
