// expect: bug deadlock
// The consumer looks at the flag before it takes the lock: the signal can come in between.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static _Atomic int is_ready;

static void *producer(void *arg) {
  is_ready = 1;
  pthread_cond_signal(&ready);  // cause
  return arg;
}

static void *consumer(void *arg) {
  if (!is_ready) {  // cause
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready, &mutex);  // cause
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&c, NULL, consumer, NULL);
  pthread_create(&p, NULL, producer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
}
