/* Each thread increments x atomically once: N! classes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif

static atomic_int x;

static void *add(void *argument) {
  atomic_fetch_add(&x, 1);
  return argument;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  assert(atomic_load(&x) == N);
  return 0;
}
