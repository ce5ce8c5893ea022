/* Upgrade from read lock to write lock by two threads. */
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static int cached;
static void *t(void *a) {
  pthread_rwlock_rdlock(&l);
  if (!cached) {
#ifndef BUG
    pthread_rwlock_unlock(&l);
#endif
    pthread_rwlock_wrlock(&l);
    if (!cached) cached = 1;
  }
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);
  pthread_join(a, 0); pthread_join(b, 0);
}
