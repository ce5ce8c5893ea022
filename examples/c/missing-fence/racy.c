// expect: bug assertion
// options: --memory-model tso
// Right under sequential consistency. On x86 the flag that keeps transactions out may be in a store buffer still.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>

static volatile int count, is_locked;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *arg) {
  if (_xbegin() == _XBEGIN_STARTED) {
    if (is_locked) _xabort(0xff);
    count++;
    _xend();
  } else {
    pthread_mutex_lock(&m);
    is_locked = 1;  // cause
    count++;  // cause
    is_locked = 0;
    pthread_mutex_unlock(&m);
  }
  return arg;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, increment, NULL);
  increment(NULL);
  pthread_join(other, NULL);
  assert(count == 2);
}
