/* The node of a CLH lock is marked as taken after it was put into the queue. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct qnode { atomic_bool locked; };
static struct qnode nodes[4];
static _Atomic(struct qnode *) tail = &nodes[3];
static int c;
static void *worker(void *arg) {
  struct qnode *me = &nodes[(long)arg];
  me->locked = 1;
#ifdef BUG
  struct qnode *pred = tail; tail = me;
#else
  struct qnode *pred = atomic_exchange(&tail, me);
#endif
  while (pred->locked) ;
  int x = c; c = x + 1;
  me->locked = 0;
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(c == 3);
}
