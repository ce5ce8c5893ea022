// expect: verified
// Two elements change places. Where the transaction aborts, both are locked, the one with the lower index first.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static int values[2] = {1, 2};
static atomic_int is_busy[2];
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void exchange(int one, int other) {
  int value = values[one];
  values[one] = values[other];
  values[other] = value;
}

static void swap(int one, int other) {
  if (_xbegin() == _XBEGIN_STARTED) {
    if (atomic_load(&is_busy[one]) || atomic_load(&is_busy[other])) _xabort(0xff);
    exchange(one, other);
    _xend();
    return;
  }
  int first = one < other ? one : other, second = one + other - first;
  pthread_mutex_lock(&locks[first]);
  pthread_mutex_lock(&locks[second]);
  atomic_store(&is_busy[one], 1);
  atomic_store(&is_busy[other], 1);
  exchange(one, other);
  atomic_store(&is_busy[one], 0);
  atomic_store(&is_busy[other], 0);
  pthread_mutex_unlock(&locks[second]);
  pthread_mutex_unlock(&locks[first]);
}

static void *forwards(void *arg) {
  swap(0, 1);
  return arg;
}

static void *backwards(void *arg) {
  swap(1, 0);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, forwards, NULL);
  pthread_create(&b, NULL, backwards, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(values[0] == 1 && values[1] == 2);
}
