/* Data meant for one thread each is shared. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <errno.h>
#ifdef BUG
static int scratch;
#else
static _Thread_local int scratch;
#endif
static pthread_key_t key; static int freed; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void dtor(void *p) { free(p); pthread_mutex_lock(&m); freed++; pthread_mutex_unlock(&m); }
static void *t(void *a) {
  scratch = (int)(long)a;
  pthread_setspecific(key, malloc(4));
  assert(scratch == (int)(long)a);
  return 0;
}
int main(void) {
  pthread_t x, y;
  pthread_key_create(&key, dtor);
  pthread_create(&x, 0, t, (void *)1); pthread_create(&y, 0, t, (void *)2);
  pthread_join(x, 0); pthread_join(y, 0);
  assert(freed == 2);
}
