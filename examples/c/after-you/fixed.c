// expect: verified
// Peterson: who said it last gives way.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static _Atomic int wants[2];
static _Atomic int last;
static int inside;

static void pass(int me) {
  atomic_store(&wants[me], 1);
  atomic_store(&last, me);
  while (atomic_load(&wants[1 - me]) && atomic_load(&last) == me) sched_yield();
  assert(++inside == 1);
  inside--;
  atomic_store(&wants[me], 0);
}

static void *one(void *arg) {
  pass(0);
  return arg;
}

static void *two(void *arg) {
  pass(1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
