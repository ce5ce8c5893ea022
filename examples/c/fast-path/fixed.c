// expect: verified
// options: --transactions stm
// It only reads.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;

static void acquire(void) {
  if (_xbegin() == _XBEGIN_STARTED) {
    if (atomic_load(&lock) == 0) return;
    _xabort(0xff);
  }
  while (atomic_exchange(&lock, 1)) _mm_pause();
}

static void release(void) {
  if (_xtest()) _xend();
  else atomic_store(&lock, 0);
}

static int places[2];

static void work(int self) {
  acquire();
  places[self] = 1;
  assert(_xtest()); /* the two have nothing in common: each should stay on its fast path */
  release();
}

static void *first(void *arg) {
  work(0);
  return arg;
}

static void *second(void *arg) {
  work(1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
