// expect: verified
// A sequence number tells whether they changed in between.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static _Atomic int low, high;
static _Atomic int sequence;

static void *writer(void *arg) {
  atomic_fetch_add(&sequence, 1);
  atomic_store(&low, 1);
  atomic_store(&high, 1);
  atomic_fetch_add(&sequence, 1);
  return arg;
}

static void *reader(void *arg) {
  int l, h, before;
  do {
    before = atomic_load(&sequence);
    l = atomic_load(&low);
    h = atomic_load(&high);
  } while (before % 2 == 1 || atomic_load(&sequence) != before);
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
