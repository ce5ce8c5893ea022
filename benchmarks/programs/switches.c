// Two threads, two hundred atomic accesses each, to objects of their own.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int own[2];

static void *count(void *arg) {
  atomic_int *x = arg;
  for (int i = 0; i < 200; i++) atomic_store_explicit(x, i, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, &own[0]);
  pthread_create(&b, NULL, count, &own[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
