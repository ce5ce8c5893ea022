/* A detached thread is still working when main looks. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int done; static int result;
static void *t(void *a) { result = 5; done = 1; return 0; }
int main(void) {
  pthread_t x;
  pthread_create(&x, 0, t, 0);
  pthread_detach(x);
#ifndef BUG
  while (!done) ;
#endif
  assert(result == 5);
  return 0;
}
