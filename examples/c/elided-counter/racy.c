// expect: bug assertion
// A transaction counts; where it aborts, a lock is taken instead. The lock keeps out other locks, but no transaction.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>

static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *arg) {
  if (_xbegin() == _XBEGIN_STARTED) {
    count++;  // cause
    _xend();
  } else {
    pthread_mutex_lock(&m);
    count++;  // cause
    pthread_mutex_unlock(&m);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(count == 2);
}
