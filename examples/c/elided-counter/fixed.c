// expect: verified
// The transaction looks whether somebody has the lock: if so, or if somebody takes it before the commit, it aborts.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static int count;
static atomic_int is_locked;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *arg) {
  if (_xbegin() == _XBEGIN_STARTED) {
    if (atomic_load(&is_locked)) _xabort(0xff);
    count++;
    _xend();
  } else {
    pthread_mutex_lock(&m);
    atomic_store(&is_locked, 1);
    count++;
    atomic_store(&is_locked, 0);
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
