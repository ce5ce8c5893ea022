/* A block that is handed on with or without order: ORDER for its reader and its writer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef WRITER
#define WRITER memory_order_release
#endif
#ifndef READER
#define READER memory_order_acquire
#endif

static _Atomic(int *) shared;
static int found;

static void *make(void *p) {
  int *block = calloc(4, sizeof *block);
#ifdef FILLED
  block[1] = 1;
#endif
  atomic_store_explicit(&shared, block, WRITER);
  return p;
}

static void *use(void *p) {
  int *block = atomic_load_explicit(&shared, READER);
  if (block) found = block[0];
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, make, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return found;
}
