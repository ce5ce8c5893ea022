/* Lamport's fast lock, tried once: who finds the gate open must look again who came last. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int last, gate, inside;

static int enter(int me) {
  last = me;
  if (gate != 0) return 0;
  gate = me;
#ifndef BUG
  if (last != me) {
    gate = 0;
    return 0;
  }
#endif
  return 1; // cause
}

static void *worker(void *number) {
  int me = (int)(long)number;
  if (!enter(me)) return 0;
  assert(atomic_fetch_add(&inside, 1) == 0);
  inside--;
  gate = 0;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)1L);
  pthread_create(&b, 0, worker, (void *)2L);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
