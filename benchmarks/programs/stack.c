// A Treiber stack: three threads push one node each and pop one.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  int value;
  struct node *next;
};

static struct node nodes[3];
static _Atomic(struct node *) top;

static void push(struct node *node) {
  node->next = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &node->next, node)) {
  }
}

static struct node *pop(void) {
  struct node *node = atomic_load(&top);
  while (node != NULL && !atomic_compare_exchange_strong(&top, &node, node->next)) {
  }
  return node;
}

static void *worker(void *arg) {
  struct node *node = arg;
  node->value = 1;
  push(node);
  pop();
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, &nodes[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
