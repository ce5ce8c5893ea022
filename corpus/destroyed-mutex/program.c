/* A mutex is destroyed when the work is done, while the worker is still giving it back. */
#include <pthread.h>
static pthread_mutex_t lock;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t flag_lock = PTHREAD_MUTEX_INITIALIZER;
static int is_done, result;

static void finish(void) {
  pthread_mutex_lock(&flag_lock);
  is_done = 1;
  pthread_cond_signal(&done);
  pthread_mutex_unlock(&flag_lock);
}

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  result = 42;
#ifdef BUG
  finish(); // cause
  pthread_mutex_unlock(&lock);
#else
  pthread_mutex_unlock(&lock);
  finish();
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&lock, 0);
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&flag_lock);
  while (!is_done) pthread_cond_wait(&done, &flag_lock);
  pthread_mutex_unlock(&flag_lock);
  pthread_mutex_destroy(&lock); // cause
  pthread_join(thread, 0);
}
