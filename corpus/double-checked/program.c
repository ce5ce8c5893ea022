/* Double-checked locking: published before initialised. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct cfg { int a, b; };
static _Atomic(struct cfg *) inst;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct cfg *get(void) {
  struct cfg *p = atomic_load_explicit(&inst, memory_order_acquire);
  if (!p) {
    pthread_mutex_lock(&m);
    p = inst;
    if (!p) {
      p = malloc(sizeof *p);
#ifdef BUG
      inst = p;
      p->a = 1; p->b = 2;
#else
      p->a = 1; p->b = 2;
      atomic_store_explicit(&inst, p, memory_order_release);
#endif
    }
    pthread_mutex_unlock(&m);
  }
  return p;
}
static void *user(void *x) { struct cfg *c = get(); assert(c->a + c->b == 3); return 0; }
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, user, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  free(inst);
}
