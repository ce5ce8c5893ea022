// expect: verified
// The writer waits until no reader is inside.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct version {
  int value;
};

static struct version *_Atomic current;
static _Atomic int readers;
static int sum;

static void *reader(void *arg) {
  atomic_fetch_add(&readers, 1);
  struct version *v = atomic_load(&current);
  sum += v->value;
  atomic_fetch_sub(&readers, 1);
  return arg;
}

static void *writer(void *arg) {
  struct version *fresh = malloc(sizeof *fresh);
  fresh->value = 2;
  struct version *old = atomic_exchange(&current, fresh);
  while (atomic_load(&readers) > 0) {}
  free(old);
  return arg;
}

int main(void) {
  struct version *first = malloc(sizeof *first);
  first->value = 1;
  atomic_store(&current, first);
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(current);
}
