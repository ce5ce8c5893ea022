// expect: verified
// options: --leaks
// Who comes second gives his own back.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic cache;

static void *lookup(void *arg) {
  if (atomic_load(&cache)) return arg;
  int *fresh = malloc(sizeof *fresh);
  *fresh = 42;
  int *empty = NULL;
  if (!atomic_compare_exchange_strong(&cache, &empty, fresh)) free(fresh);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, lookup, NULL);
  pthread_create(&b, NULL, lookup, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(cache);
}
