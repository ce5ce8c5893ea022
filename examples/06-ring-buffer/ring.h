// A ring buffer for one producer and one consumer, without locks.
#include <stdatomic.h>
#include <stdbool.h>

#define SIZE 2

struct ring {
  int slots[SIZE];
  atomic_uint head;  // next slot to read; written by the consumer
  atomic_uint tail;  // next slot to write; written by the producer
};

static bool ring_put(struct ring *r, int value) {
  unsigned tail = atomic_load(&r->tail);
  if (tail - atomic_load(&r->head) == SIZE) return false;
#ifdef PUBLISH_EARLY
  atomic_store(&r->tail, tail + 1);  // cause
  r->slots[tail % SIZE] = value;     // cause
#else
  r->slots[tail % SIZE] = value;
  atomic_store(&r->tail, tail + 1);
#endif
  return true;
}

static bool ring_take(struct ring *r, int *value) {
  unsigned head = atomic_load(&r->head);
  if (head == atomic_load(&r->tail)) return false;
  *value = r->slots[head % SIZE];
  atomic_store(&r->head, head + 1);
  return true;
}
