/* A plain flag says that data is ready; it is set one line too early. */
#include <assert.h>
#include <pthread.h>
static volatile int is_ready;
static int data;

static void *produce(void *unused) {
#ifdef BUG
  is_ready = 1; // cause
  data = 7;
#else
  data = 7;
  is_ready = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, produce, 0);
  while (!is_ready) {}
  assert(data == 7);
  pthread_join(thread, 0);
}
