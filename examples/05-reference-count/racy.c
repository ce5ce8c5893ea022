// expect: bug use-after-free
// Two owners drop a shared object; counting down and looking at the result are two steps.
#include <pthread.h>
#include <stdlib.h>

struct object {
  pthread_mutex_t mutex;
  int owners;
};

static void drop(struct object *o) {
  pthread_mutex_lock(&o->mutex);
  o->owners--;
  pthread_mutex_unlock(&o->mutex);
  if (o->owners == 0) free(o);  // cause
}

static void *owner(void *arg) {
  drop(arg);
  return NULL;
}

int main(void) {
  struct object *o = malloc(sizeof *o);
  pthread_mutex_init(&o->mutex, NULL);
  o->owners = 2;
  pthread_t a, b;
  pthread_create(&a, NULL, owner, o);
  pthread_create(&b, NULL, owner, o);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
