// expect: verified
// options: --heap reuse
// The head counts how often it was changed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int is_in_use;
};

/* A stack of two nodes. */
struct head {
  struct node *node;
  unsigned changes;
};
static _Atomic(struct head) head;
static struct node *_Atomic below;

/* Takes the first node out. */
static void *taker(void *arg) {
  struct head first = atomic_load(&head);
  struct head second = {atomic_load(&below), first.changes + 1};
  atomic_compare_exchange_strong(&head, &first, second);
  return arg;
}

/* Takes both nodes out, uses the second, and puts a new first one in. */
static void *replacer(void *arg) {
  struct head empty = {NULL, atomic_load(&head).changes + 1};
  struct node *first = atomic_exchange(&head, empty).node;
  struct node *second = atomic_exchange(&below, NULL);
  if (first == second) return arg;
  second->is_in_use = 1;
  free(first);
  struct head now = {calloc(1, sizeof *first), empty.changes + 1};
  atomic_store(&head, now);
  return arg;
}

int main(void) {
  struct node *first = calloc(1, sizeof *first);
  head = (struct head){first, 0};
  below = calloc(1, sizeof *first);
  pthread_t a, b;
  pthread_create(&a, NULL, taker, NULL);
  pthread_create(&b, NULL, replacer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  struct node *last = atomic_load(&head).node;
  assert(!last || !last->is_in_use);
}
