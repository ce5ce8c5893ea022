// expect: verified
// Who collects permits does so alone.
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
static pthread_mutex_t collecting = PTHREAD_MUTEX_INITIALIZER;
static int jobs;

static void *worker(void *arg) {
  pthread_mutex_lock(&collecting);
  sem_wait(&permits);
  sem_wait(&permits);
  pthread_mutex_unlock(&collecting);
  jobs++;
  sem_post(&permits);
  sem_post(&permits);
  return arg;
}

int main(void) {
  sem_init(&permits, 0, 2);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
