// expect: verified
// The looks are a transaction themselves; if that one aborts, there is another time.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>

static int mine[2], total;

static void work(int self) {
  if (_xbegin() == _XBEGIN_STARTED) {
    mine[self]++;
    total++;
    _xend();
    return;
  }
  /* Now and then, when a transaction happens to abort. */
  if (_xbegin() == _XBEGIN_STARTED) {
    assert(mine[0] + mine[1] == total);
    _xend();
  }
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
