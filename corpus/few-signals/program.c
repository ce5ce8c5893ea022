/* One signal for two who wait. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open;

static void *wait_for_it(void *unused) {
  pthread_mutex_lock(&lock);
  while (!is_open) pthread_cond_wait(&opened, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, wait_for_it, 0);
  pthread_create(&b, 0, wait_for_it, 0);
  pthread_mutex_lock(&lock);
  is_open = 1;
#ifdef BUG
  pthread_cond_signal(&opened); // cause
#else
  pthread_cond_broadcast(&opened);
#endif
  pthread_mutex_unlock(&lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
