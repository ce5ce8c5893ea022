// expect: bug assertion
// What is counted is looked at where a transaction aborts; another one may commit between the looks.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>

static int mine[2], total;

static void work(int self) {
  if (_xbegin() == _XBEGIN_STARTED) {
    mine[self]++;
    total++;  // cause
    _xend();
    return;
  }
  /* Now and then, when a transaction happens to abort. */
  int sum = mine[0] + mine[1];  // cause
  assert(sum == total);  // cause
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
