// expect: bug leak
// options: --leaks
// Both find the cache empty and fill it; what the first put in is lost.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic cache;

static void *lookup(void *arg) {
  if (atomic_load(&cache)) return arg;
  int *fresh = malloc(sizeof *fresh);
  *fresh = 42;
  atomic_store(&cache, fresh);  // cause
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
