// expect: verified
// Looked at and used under one lock.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum = 10, count = 2, average;

static void *report(void *arg) {
  pthread_mutex_lock(&mutex);
  if (count > 0) average = sum / count;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *reset(void *arg) {
  pthread_mutex_lock(&mutex);
  sum = 0;
  count = 0;
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
