/* Flag set without the mutex. */
#include <pthread.h>
#include <stdbool.h>
static bool ready; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *waiter(void *a) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, waiter, 0); pthread_create(&t[1], 0, waiter, 0);
#ifdef BUG
  ready = true;
  pthread_cond_broadcast(&c);
#else
  pthread_mutex_lock(&m);
  ready = true;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
#endif
  pthread_join(t[0], 0); pthread_join(t[1], 0);
}
