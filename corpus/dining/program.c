/* Philosophers who all take the left fork first. */
#include <pthread.h>
#ifndef SEATS
#define SEATS 3
#endif
static pthread_mutex_t fork_at[SEATS];
static int meals;
static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;

static void *dine(void *number) {
  int seat = (int)(long)number, left = seat, right = (seat + 1) % SEATS;
#ifndef BUG
  if (left > right) left = right, right = seat;
#endif
  pthread_mutex_lock(&fork_at[left]);
  pthread_mutex_lock(&fork_at[right]); // cause
  pthread_mutex_lock(&count);
  meals++;
  pthread_mutex_unlock(&count);
  pthread_mutex_unlock(&fork_at[right]);
  pthread_mutex_unlock(&fork_at[left]);
  return 0;
}

int main(void) {
  pthread_t threads[SEATS];
  for (int i = 0; i < SEATS; i++) pthread_mutex_init(&fork_at[i], 0);
  for (long i = 0; i < SEATS; i++) pthread_create(&threads[i], 0, dine, (void *)i);
  for (int i = 0; i < SEATS; i++) pthread_join(threads[i], 0);
}
