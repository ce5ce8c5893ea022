/* If instead of while, one condition for two predicates. */
#include <assert.h>
#include <pthread.h>
#define CAP 1
static int buf[CAP], count, in, out;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef BUG
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
#define notfull c
#define notempty c
#else
static pthread_cond_t notfull = PTHREAD_COND_INITIALIZER, notempty = PTHREAD_COND_INITIALIZER;
#endif
static void put(int v) {
  pthread_mutex_lock(&m);
#ifdef BUG
  if (count == CAP) pthread_cond_wait(&notfull, &m);
#else
  while (count == CAP) pthread_cond_wait(&notfull, &m);
#endif
  assert(count < CAP);
  buf[in] = v; in = (in + 1) % CAP; count++;
  pthread_cond_signal(&notempty);
  pthread_mutex_unlock(&m);
}
static int get(void) {
  pthread_mutex_lock(&m);
#ifdef BUG
  if (count == 0) pthread_cond_wait(&notempty, &m);
#else
  while (count == 0) pthread_cond_wait(&notempty, &m);
#endif
  assert(count > 0);
  int v = buf[out]; out = (out + 1) % CAP; count--;
  pthread_cond_signal(&notfull);
  pthread_mutex_unlock(&m);
  return v;
}
static void *producer(void *a) { put(1); put(2); return 0; }
static void *consumer(void *a) { get(); return 0; }
int main(void) {
  pthread_t p, c1, c2;
  pthread_create(&p, 0, producer, 0);
  pthread_create(&c1, 0, consumer, 0);
  pthread_create(&c2, 0, consumer, 0);
  pthread_join(p, 0); pthread_join(c1, 0); pthread_join(c2, 0);
}
