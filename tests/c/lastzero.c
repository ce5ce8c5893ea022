/* Thread 0 looks for the last zero of an array while thread i makes a[i] = a[i - 1] + 1: (N + 3) 2^(N - 2) classes. */
#include <pthread.h>
#ifndef N
#define N 3
#endif

static int array[N + 1];

static void *search(void *argument) {
  int i = N;
  while (array[i] != 0) i--;
  return argument;
}

static void *add(void *argument) {
  int i = (int)(long)argument;
  array[i] = array[i - 1] + 1;
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
  for (long i = 0; i <= N; i++) pthread_create(&threads[i], 0, i == 0 ? search : add, (void *)i);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
  return 0;
}
