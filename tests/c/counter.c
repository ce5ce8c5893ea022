/* Two threads increment a counter without a lock. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *argument) {
  (void)argument;
  counter++;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(counter == 2);
  return 0;
}
