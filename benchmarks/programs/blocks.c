/* Two threads that do little else than use the heap. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int values[4];
  struct node *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;

static void *worker(void *arg) {
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    memset(node, 0, sizeof *node);
    for (int j = 0; j < 4; j++) node->values[j] = i + j;
    pthread_mutex_lock(&mutex);
    node->next = list;
    list = node;
    struct node *old = list->next;
    if (old) list->next = old->next;
    pthread_mutex_unlock(&mutex);
    free(old);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
