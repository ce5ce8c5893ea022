// expect: bug assertion
// A lock is left out where a transaction does as well; but nothing tells it when somebody has the lock all the same.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int balance[2] = {5, 5};

static void acquire(void) {
  if (_xbegin() == _XBEGIN_STARTED) return;
  while (atomic_exchange(&lock, 1)) _mm_pause();
}

static void release(void) {
  if (_xtest()) _xend();
  else atomic_store(&lock, 0);
}

static void *transfer(void *arg) {
  acquire();
  balance[0]--;  // cause
  balance[1]++;
  release();
  return arg;
}

static void *audit(void *arg) {
  acquire();
  assert(balance[0] + balance[1] == 10);  // cause
  release();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, transfer, NULL);
  pthread_create(&b, NULL, audit, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
