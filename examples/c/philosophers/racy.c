// expect: bug deadlock
// Three philosophers take the fork at their left, then the one at their right.
#include <pthread.h>

enum { seats = 3 };

static pthread_mutex_t forks[seats] = {
  PTHREAD_MUTEX_INITIALIZER,
  PTHREAD_MUTEX_INITIALIZER,
  PTHREAD_MUTEX_INITIALIZER,
};

static void *philosopher(void *arg) {
  long seat = (long)arg;
  long first = seat, second = (seat + 1) % seats;
  pthread_mutex_lock(&forks[first]);  // cause
  pthread_mutex_lock(&forks[second]);  // cause
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  pthread_t threads[seats];
  for (long i = 0; i < seats; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < seats; i++) pthread_join(threads[i], NULL);
}
