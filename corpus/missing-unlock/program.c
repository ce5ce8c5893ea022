/* An early return leaves a lock taken. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static void *buy(void *unused) {
  pthread_mutex_lock(&lock);
  if (stock == 0) {
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    return unused; // cause
  }
  stock--;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *deliver(void *unused) {
  pthread_mutex_lock(&lock);
  stock++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, buy, 0);
  pthread_create(&threads[1], 0, deliver, 0);
  pthread_create(&threads[2], 0, buy, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
