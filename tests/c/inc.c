/* Each thread loads x and stores a value of its own, both atomically: (N!)^2 classes. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif

static atomic_int x;

static void *set(void *argument) {
  int value = atomic_load(&x);
  atomic_store(&x, (int)(long)argument);
  return (void *)(long)value;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, set, (void *)(i + 1));
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}
