// expect: verified
// The last one takes them the other way round.
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
  if (seat == seats - 1) first = 0, second = seat;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  pthread_t threads[seats];
  for (long i = 0; i < seats; i++) pthread_create(&threads[i], NULL, philosopher, (void *)i);
  for (int i = 0; i < seats; i++) pthread_join(threads[i], NULL);
}
