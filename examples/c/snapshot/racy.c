// expect: bug assertion
// Two fields that belong together are read one after the other.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static _Atomic int low, high;

static void *writer(void *arg) {
  atomic_store(&low, 1);
  atomic_store(&high, 1);
  return arg;
}

static void *reader(void *arg) {
  int l = atomic_load(&low), h = atomic_load(&high);  // cause
  assert(l == h);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
