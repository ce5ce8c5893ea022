// expect: verified
// Popped nodes are freed when nobody pops any more.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

static struct node *_Atomic top;

static struct node *pop(void) {
  struct node *first = atomic_load(&top);
  while (first && !atomic_compare_exchange_strong(&top, &first, first->next)) {}
  return first;
}

static void *worker(void *arg) {
  (void)arg;
  return pop();
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
  void *popped[2];
  pthread_join(a, &popped[0]);
  pthread_join(b, &popped[1]);
  free(popped[0]);
  free(popped[1]);
}
