// expect: bug use-after-free
// A node is freed by whoever pops it, while another still reads where it leads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

static struct node *_Atomic top;

static struct node *pop(void) {
  struct node *first = atomic_load(&top);
  while (first && !atomic_compare_exchange_strong(&top, &first, first->next)) {}  // cause
  return first;
}

static void *worker(void *arg) {
  free(pop());  // cause
  return arg;
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = top;
    top = node;
  }
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
