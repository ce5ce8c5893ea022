/* Each philosopher takes the left fork first. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#define N 4
pthread_mutex_t fork_[N];
void *philosopher(void *num) {
  int i = *(int *)num;
  int left = i, right = (i + 1) % N;
#ifndef BUG
  if (i == N - 1) { left = 0; right = i; }
#endif
  for (int k = 0; k < 1; k++) {
    usleep(100);
    pthread_mutex_lock(&fork_[left]);
    pthread_mutex_lock(&fork_[right]);
    printf("Philosopher %d is eating\n", i);
    pthread_mutex_unlock(&fork_[right]);
    pthread_mutex_unlock(&fork_[left]);
  }
  return NULL;
}
int main() {
  pthread_t t[N]; int id[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&fork_[i], NULL);
  for (int i = 0; i < N; i++) { id[i] = i; pthread_create(&t[i], NULL, philosopher, &id[i]); }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++) pthread_mutex_destroy(&fork_[i]);
}
