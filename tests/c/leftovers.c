/* Looks where an earlier execution may have left something: stacks, heap, static and thread-local data. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int global = 1;
static _Thread_local int local = 2;

/* The place where `mark` writes, before anything has. */
__attribute__((noinline)) static int look(void) {
  volatile int frame[64];
  return frame[7];
}

__attribute__((noinline)) static void mark(void) {
  volatile int frame[64];
  frame[7] = 42;
}

static void check(void) {
  assert(look() == 0);
  mark();
  int *block = malloc(100);
  assert(block[3] == 0);
  block[3] = 42;
  assert(local == 2);
  local = 42;
}

static void *worker(void *argument) {
  check();
  return argument;
}

int main(void) {
  pthread_t threads[2];
  check();
  assert(global == 1);
  global = 42;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
