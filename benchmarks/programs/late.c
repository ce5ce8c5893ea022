// Three threads that work for long on objects of their own, and race at the end.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int own[3], shared;

static void *work(void *arg) {
  atomic_int *x = arg;
  for (int i = 0; i < 100; i++) atomic_store_explicit(x, i, memory_order_relaxed);
  for (int i = 0; i < 2; i++) atomic_store(&shared, atomic_load(&shared) + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, &own[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
