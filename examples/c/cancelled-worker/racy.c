// expect: bug deadlock
// The worker holds the lock while it sleeps; cancelled there, it never unlocks it.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int progress;

static void *worker(void *arg) {
  pthread_mutex_lock(&mutex);
  progress++;
  usleep(100);  // cause
  progress++;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_cancel(thread);  // cause
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  int reached = progress;
  pthread_mutex_unlock(&mutex);
  return reached < 0;
}
