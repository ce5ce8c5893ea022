/* Michael-Scott queue; enqueue links with a plain store. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
typedef struct node { int v; _Atomic(struct node *) next; } node;
static _Atomic(node *) head, tail;
static node *mk(int v) { node *n = malloc(sizeof *n); n->v = v; atomic_init(&n->next, 0); return n; }
static void enq(int v) {
  node *n = mk(v);
  for (;;) {
    node *t = tail, *nx = t->next;
    if (t != tail) continue;
    if (nx == 0) {
#ifdef BUG
      t->next = n;
      { atomic_compare_exchange_strong(&tail, &t, n); return; }
#else
      node *e = 0;
      if (atomic_compare_exchange_strong(&t->next, &e, n)) { atomic_compare_exchange_strong(&tail, &t, n); return; }
#endif
    } else atomic_compare_exchange_strong(&tail, &t, nx);
  }
}
static int deq(int *out) {
  for (;;) {
    node *h = head, *t = tail, *nx = h->next;
    if (h != head) continue;
    if (h == t) { if (!nx) return 0; atomic_compare_exchange_strong(&tail, &t, nx); }
    else { *out = nx->v; if (atomic_compare_exchange_strong(&head, &h, nx)) return 1; }
  }
}
static void *p(void *a) { enq((int)(long)a); return 0; }
static int got;
static void *c(void *a) { int v; if (deq(&v)) got += v; return 0; }
int main(void) {
  node *d = mk(0); head = d; tail = d;
  pthread_t t[3];
  pthread_create(&t[0], 0, p, (void *)1); pthread_create(&t[1], 0, p, (void *)2); pthread_create(&t[2], 0, c, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  int v; while (deq(&v)) got += v;
  assert(got == 3);
}
