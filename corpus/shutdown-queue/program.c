/* A work queue with shutdown: a worker that checks for work outside the lock misses the order to stop. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int jobs = 1, is_closing;

static void *worker(void *unused) {
  for (;;) {
#ifdef BUG
    int is_idle = jobs == 0 && !is_closing; // cause
    pthread_mutex_lock(&lock);
    if (is_idle) pthread_cond_wait(&changed, &lock); // cause
#else
    pthread_mutex_lock(&lock);
    while (jobs == 0 && !is_closing) pthread_cond_wait(&changed, &lock);
#endif
    if (jobs > 0) jobs--;
    else if (is_closing) break;
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  is_closing = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
}
