/* Logger thread stops before draining. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static char ring[8][16]; static int r, w, stop, written;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *logger(void *a) {
  pthread_mutex_lock(&m);
  for (;;) {
    while (r == w && !stop) pthread_cond_wait(&c, &m);
#ifdef BUG
    if (stop) break;
#else
    if (r == w) break;
#endif
    char line[16];
    snprintf(line, sizeof line, "%s", ring[r % 8]); r++;
    pthread_mutex_unlock(&m);
    puts(line); written++;
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  return 0;
}
static void logf_(const char *fmt, int n) {
  pthread_mutex_lock(&m);
  snprintf(ring[w % 8], 16, fmt, n); w++;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, logger, 0);
  logf_("line %d", 1); logf_("line %d", 2);
  pthread_mutex_lock(&m); stop = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(written == 2);
}
