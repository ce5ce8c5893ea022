/*
 * A thread waits for a flag and keeps a copy of it, another stores the same copy in between: only who knows that has to take
 * the round after it for one that changed something. For the comparison of executions done from memory with executions of the program.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, copy, other;

static void *waits(void *p) {
  int seen;
  do {
    seen = atomic_load_explicit(&flag, memory_order_relaxed);
    atomic_store_explicit(&copy, seen, memory_order_relaxed);
  } while (seen == 0);
  return p;
}

static void *same(void *p) {
  atomic_store_explicit(&copy, 0, memory_order_relaxed);
  atomic_store_explicit(&other, 1, memory_order_relaxed);
  atomic_store_explicit(&other, 2, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return p;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, waits, 0);
  pthread_create(&threads[1], 0, same, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
