// expect: verified
// The transaction reads the lock: while somebody has it, it waits; and whoever takes it makes it abort.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int balance[2] = {5, 5};

static void acquire(void) {
  unsigned status;
  do {
    while (atomic_load(&lock)) _mm_pause();
    status = _xbegin();
    if (status == _XBEGIN_STARTED) {
      if (!atomic_load(&lock)) return;
      _xabort(0xff);
    }
  } while (status & _XABORT_EXPLICIT);
  while (atomic_exchange(&lock, 1)) _mm_pause();
}

static void release(void) {
  if (_xtest()) _xend();
  else atomic_store(&lock, 0);
}

static void *transfer(void *arg) {
  acquire();
  balance[0]--;
  balance[1]++;
  release();
  return arg;
}

static void *audit(void *arg) {
  acquire();
  assert(balance[0] + balance[1] == 10);
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
