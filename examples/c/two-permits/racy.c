// expect: bug deadlock
// Each needs two of the two permits, and takes one after the other.
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
static int jobs;

static void *worker(void *arg) {
  sem_wait(&permits);  // cause
  sem_wait(&permits);  // cause
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
