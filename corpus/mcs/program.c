/* An MCS lock whose unlock does not look whether somebody is joining the queue. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct node { _Atomic(struct node *) next; atomic_int locked; };
static _Atomic(struct node *) tail; static int counter;
static void lock(struct node *n) {
  n->next = NULL;
#ifndef BUG
  n->locked = 1;
#endif
  struct node *prev = atomic_exchange(&tail, n);
  if (prev) {
    prev->next = n;
#ifdef BUG
    n->locked = 1;
#endif
    while (n->locked) ;
  }
}
static void unlock(struct node *n) {
  struct node *e = n;
  if (!n->next) {
    if (atomic_compare_exchange_strong(&tail, &e, NULL)) return;
    while (!n->next) ;
  }
  struct node *x = n->next;
  x->locked = 0;
}
static void *worker(void *a) { struct node n; lock(&n); counter++; unlock(&n); return 0; }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(counter == 3);
}
