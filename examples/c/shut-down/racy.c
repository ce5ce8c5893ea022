// expect: bug deadlock
// The worker looks at the flag and then sleeps; the wake-up comes in between, without the lock.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile int is_stopping;

static void *worker(void *arg) {
  pthread_mutex_lock(&mutex);
  while (!is_stopping) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *stopper(void *arg) {
  is_stopping = 1;  // cause
  pthread_cond_broadcast(&changed);  // cause
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, stopper, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
