// expect: verified
// Counted atomically.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int passed;

static void *check(void *arg) {
  atomic_fetch_add(&passed, 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, check, NULL);
  pthread_create(&b, NULL, check, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return passed == 2 ? 0 : 3;
}
