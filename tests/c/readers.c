/* One thread writes x, N threads read it: 2^N classes. */
#include <pthread.h>
#ifndef N
#define N 2
#endif

static int x;
static int seen[N];

static void *writer(void *argument) {
  x = 1;
  return argument;
}

static void *reader(void *argument) {
  int value = x;
  return (void *)(long)value;
}

int main(void) {
  pthread_t threads[N + 1];
#ifdef WRITER_LAST
  for (int i = 1; i <= N; i++) pthread_create(&threads[i], 0, reader, 0);
  pthread_create(&threads[0], 0, writer, 0);
#else
  pthread_create(&threads[0], 0, writer, 0);
  for (int i = 1; i <= N; i++) pthread_create(&threads[i], 0, reader, 0);
#endif
  for (int i = 0; i <= N; i++) {
    void *result;
    pthread_join(threads[i], &result);
    if (i > 0) seen[i - 1] = (int)(long)result;
  }
  return 0;
}
