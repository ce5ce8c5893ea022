// expect: verified
// Every wake-up is followed by another look.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;
static int done;

static void put(int n) {
  pthread_mutex_lock(&mutex);
  items += n;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static void take(void) {
  pthread_mutex_lock(&mutex);
  while (items == 0 && !done) pthread_cond_wait(&not_empty, &mutex);
  if (!done) {
    assert(items > 0);
    items--;
  }
  pthread_mutex_unlock(&mutex);
}

static void *consumer(void *arg) {
  take();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consumer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  put(1);
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_cond_broadcast(&not_empty);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
