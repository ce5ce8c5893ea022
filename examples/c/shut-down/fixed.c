// expect: verified
// Flag and wake-up under the lock.
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
  pthread_mutex_lock(&mutex);
  is_stopping = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, stopper, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
