/* Three locks taken in a circle. */
#include <pthread.h>
static pthread_mutex_t l[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int v[3];
static void move(int a, int b) {
#ifndef BUG
  int f = a < b ? a : b, s = a < b ? b : a;
#else
  int f = a, s = b;
#endif
  pthread_mutex_lock(&l[f]); pthread_mutex_lock(&l[s]);
  v[a]--; v[b]++;
  pthread_mutex_unlock(&l[s]); pthread_mutex_unlock(&l[f]);
}
static void *t(void *a) { int i = (int)(long)a; move(i, (i + 1) % 3); return 0; }
int main(void) {
  pthread_t th[3];
  for (long i = 0; i < 3; i++) pthread_create(&th[i], 0, t, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(th[i], 0);
}
