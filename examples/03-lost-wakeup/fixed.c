// expect: verified
// Flag and signal under the lock, and the consumer looks again after each wake-up.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *producer(void *arg) {
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *consumer(void *arg) {
  pthread_mutex_lock(&mutex);
  while (!is_ready) pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&c, NULL, consumer, NULL);
  pthread_create(&p, NULL, producer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
}
