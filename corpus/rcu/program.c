/* No grace period. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct cfg { int v; };
static _Atomic(struct cfg *) cur; static atomic_int readers;
static void *reader(void *a) {
  readers++;
  struct cfg *c = cur;
  assert(c->v > 0);
  readers--;
  return 0;
}
static void *updater(void *a) {
  struct cfg *n = malloc(sizeof *n); n->v = 2;
  struct cfg *old = atomic_exchange(&cur, n);
#ifndef BUG
  while (readers) sched_yield();
#endif
  free(old);
  return 0;
}
int main(void) {
  struct cfg *c = malloc(sizeof *c); c->v = 1; cur = c;
  pthread_t r1, r2, u;
  pthread_create(&r1, 0, reader, 0); pthread_create(&r2, 0, reader, 0); pthread_create(&u, 0, updater, 0);
  pthread_join(r1, 0); pthread_join(r2, 0); pthread_join(u, 0);
}
