// expect: bug assertion
// options: --heap reuse
// The head of a stack is the same address as before, but another node. It takes memory that is reused
// to see it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int is_in_use;
};

/* A stack of two nodes. */
static struct node *_Atomic head;
static struct node *_Atomic below;

/* Takes the first node out. */
static void *taker(void *arg) {
  struct node *first = atomic_load(&head);
  struct node *second = atomic_load(&below);
  atomic_compare_exchange_strong(&head, &first, second);  // cause
  return arg;
}

/* Takes both nodes out, uses the second, and puts a new first one in. */
static void *replacer(void *arg) {
  struct node *first = atomic_exchange(&head, NULL);
  struct node *second = atomic_exchange(&below, NULL);
  if (first == second) return arg;
  second->is_in_use = 1;
  free(first);  // cause
  atomic_store(&head, calloc(1, sizeof *first));  // cause
  return arg;
}

int main(void) {
  struct node *first = calloc(1, sizeof *first);
  head = first;
  below = calloc(1, sizeof *first);
  pthread_t a, b;
  pthread_create(&a, NULL, taker, NULL);
  pthread_create(&b, NULL, replacer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  struct node *last = head;
  assert(!last || !last->is_in_use);
}
