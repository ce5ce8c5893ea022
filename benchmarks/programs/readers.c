// One thread writes, six read.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *arg) {
  x = 1;
  return arg;
}

static void *reader(void *arg) {
  (void)atomic_load(&x);
  return arg;
}

int main(void) {
  pthread_t threads[7];
  pthread_create(&threads[0], NULL, writer, NULL);
  for (int i = 1; i < 7; i++) pthread_create(&threads[i], NULL, reader, NULL);
  for (int i = 0; i < 7; i++) pthread_join(threads[i], NULL);
}
