/* An initialiser run by whoever finds a plain flag unset. */
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT; static int inits, done;
static void init(void) { inits++; }
static void *t(void *a) {
#ifdef BUG
  if (!done) { init(); done = 1; }
#else
  pthread_once(&once, init);
#endif
  assert(inits == 1);
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); pthread_create(&c, 0, t, 0);
  pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
}
