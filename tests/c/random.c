/* Each thread draws its own sequence, whatever the others do. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int drawn[2][3];

static void *worker(void *argument) {
  long i = (long)argument;
  srand(5);
  for (int k = 0; k < 3; k++) drawn[i][k] = rand();
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int first = rand();
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  for (int k = 0; k < 3; k++) assert(drawn[0][k] == drawn[1][k]);
  assert(drawn[0][0] != drawn[0][1] && drawn[0][1] != drawn[0][2]);
  assert(first >= 0 && random() != first);
  return 0;
}
