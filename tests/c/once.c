/* pthread_once: the initialiser runs once, and nobody goes on before it is done. */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int begun, ended;

static void initialise(void) {
  begun++;
  ended++;
}

static void *worker(void *argument) {
  pthread_once(&once, initialise);
  assert(begun == 1 && ended == 1);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
