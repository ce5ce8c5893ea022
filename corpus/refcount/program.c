/* A reference count that is decremented and read in two steps. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct obj { atomic_int refs; int payload; };
static struct obj *shared; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void put(struct obj *o) {
  if (atomic_fetch_sub(&o->refs, 1) == 1) free(o);
}
static struct obj *get(void) {
#ifndef BUG
  pthread_mutex_lock(&m);
#endif
  struct obj *o = shared;
  if (o) atomic_fetch_add(&o->refs, 1);
#ifndef BUG
  pthread_mutex_unlock(&m);
#endif
  return o;
}
static void *reader(void *a) { struct obj *o = get(); if (o) { o->payload++; put(o); } return 0; }
static void *dropper(void *a) {
#ifndef BUG
  pthread_mutex_lock(&m);
#endif
  struct obj *o = shared; shared = 0;
#ifndef BUG
  pthread_mutex_unlock(&m);
#endif
  put(o); return 0;
}
int main(void) {
  shared = malloc(sizeof *shared); atomic_init(&shared->refs, 1); shared->payload = 0;
  pthread_t r, d;
  pthread_create(&r, 0, reader, 0); pthread_create(&d, 0, dropper, 0);
  pthread_join(r, 0); pthread_join(d, 0);
}
