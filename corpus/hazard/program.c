/* Hazard pointer published without checking again. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int v; };
static _Atomic(struct node *) head; static _Atomic(struct node *) hazard;
static void *reader(void *a) {
  struct node *n;
#ifdef BUG
  n = head;
  hazard = n;
#else
  do { n = head; hazard = n; } while (n != head);
#endif
  assert(n->v == 1 || n->v == 2);
  hazard = 0;
  return 0;
}
static void *writer(void *a) {
  struct node *n = malloc(sizeof *n), *old;
  n->v = 2;
  old = atomic_exchange(&head, n);
  while (hazard == old) sched_yield();
  free(old);
  return 0;
}
int main(void) {
  struct node *n = malloc(sizeof *n); n->v = 1; head = n;
  pthread_t r, w;
  pthread_create(&r, 0, reader, 0); pthread_create(&w, 0, writer, 0);
  pthread_join(r, 0); pthread_join(w, 0);
  free(head);
}
