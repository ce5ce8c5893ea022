/* Synchronised by sleeping. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int ready;
static void *t(void *a) { sleep(1); ready = 1; return 0; }
int main(void) {
  pthread_t x;
  pthread_create(&x, 0, t, 0);
#ifdef BUG
  sleep(2);
  assert(ready);
  pthread_join(x, 0);
#else
  pthread_join(x, 0);
  assert(ready);
#endif
}
