// One condition variable for two purposes, as a part of a structure: a signal may wake who cannot use it.
#include <pthread.h>

static struct {
  int full;
  pthread_mutex_t lock;
  pthread_cond_t changed;
} box = {0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static void *put(void *arg) {
  pthread_mutex_lock(&box.lock);
  while (box.full) pthread_cond_wait(&box.changed, &box.lock);
  box.full = 1;
  pthread_cond_signal(&box.changed);
  pthread_mutex_unlock(&box.lock);
  return arg;
}

static void *take(void *arg) {
  pthread_mutex_lock(&box.lock);
  while (!box.full) pthread_cond_wait(&box.changed, &box.lock);
  box.full = 0;
  pthread_cond_signal(&box.changed);
  pthread_mutex_unlock(&box.lock);
  return arg;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], 0, put, 0);
  pthread_create(&threads[1], 0, put, 0);
  pthread_create(&threads[2], 0, take, 0);
  pthread_create(&threads[3], 0, take, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
}
