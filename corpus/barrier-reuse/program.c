/* Home-made barrier reused without phases. */
#include <assert.h>
#include <pthread.h>
#define N 2
static int waiting, phase; static int step[N];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void barrier(void) {
  pthread_mutex_lock(&m);
  waiting++;
#ifdef BUG
  if (waiting == N) { pthread_cond_broadcast(&c); }
  else while (waiting < N) pthread_cond_wait(&c, &m);
  if (waiting == N) waiting = 0;
#else
  int my = phase;
  if (waiting == N) { waiting = 0; phase++; pthread_cond_broadcast(&c); }
  else while (phase == my) pthread_cond_wait(&c, &m);
#endif
  pthread_mutex_unlock(&m);
}
static void *worker(void *a) {
  int me = (int)(long)a;
  for (int i = 0; i < 2; i++) {
    step[me] = i;
    barrier();
    assert(step[!me] == i);
    barrier();
  }
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
}
