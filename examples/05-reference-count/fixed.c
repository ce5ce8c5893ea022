// expect: verified
// One atomic step counts down and tells who was last.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  atomic_int owners;
};

static void drop(struct object *o) {
  if (atomic_fetch_sub(&o->owners, 1) == 1) free(o);
}

static void *owner(void *arg) {
  drop(arg);
  return NULL;
}

int main(void) {
  struct object *o = malloc(sizeof *o);
  atomic_init(&o->owners, 2);
  pthread_t a, b;
  pthread_create(&a, NULL, owner, o);
  pthread_create(&b, NULL, owner, o);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
