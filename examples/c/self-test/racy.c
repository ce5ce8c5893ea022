// expect: bug exit-code
// Two checks fail to be counted as one; the program ends with what it counted.
#include <pthread.h>
#include <stdatomic.h>

static int passed;

static void *check(void *arg) {
  passed = passed + 1;  // cause
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
