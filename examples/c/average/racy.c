// expect: bug trap
// The sum is divided by a count that another thread has reset since it was looked at.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum = 10, count = 2, average;

static void *report(void *arg) {
  if (count > 0) average = sum / count;  // cause
  return arg;
}

static void *reset(void *arg) {
  pthread_mutex_lock(&mutex);
  sum = 0;
  count = 0;  // cause
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, report, NULL);
  pthread_create(&b, NULL, reset, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
