/* Timeout taken for success. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static int ready, value; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *producer(void *a) { pthread_mutex_lock(&m); value = 42; ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t; struct timespec ts;
  pthread_create(&t, 0, producer, 0);
  clock_gettime(CLOCK_REALTIME, &ts); ts.tv_sec += 1;
  pthread_mutex_lock(&m);
  int rc = 0;
  while (!ready && rc == 0) rc = pthread_cond_timedwait(&c, &m, &ts);
#ifdef BUG
  assert(value == 42);
#else
  if (ready) assert(value == 42); else assert(rc == ETIMEDOUT);
#endif
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
