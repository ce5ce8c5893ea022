/* x = 1; read y beside y = 1; read x: 3 classes, and under sequential consistency never both zero. */
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *left(void *argument) {
  (void)argument;
  x = 1;
  return (void *)(long)y;
}

static void *right(void *argument) {
  (void)argument;
  y = 1;
  return (void *)(long)x;
}

int main(void) {
  pthread_t threads[2];
  void *results[2];
  pthread_create(&threads[0], 0, left, 0);
  pthread_create(&threads[1], 0, right, 0);
  pthread_join(threads[0], &results[0]);
  pthread_join(threads[1], &results[1]);
  assert(results[0] || results[1]);
  return 0;
}
