// expect: verified
// A cleanup handler unlocks, wherever the worker is cancelled.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int progress;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *worker(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  progress++;
  usleep(100);
  progress++;
  pthread_cleanup_pop(1);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  int reached = progress;
  pthread_mutex_unlock(&mutex);
  return reached < 0;
}
