/* Waits for a condition while it holds another lock, which whoever would signal needs. */
#include <pthread.h>
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *consume(void *unused) {
#ifdef BUG
  pthread_mutex_lock(&outer); // cause
#endif
  pthread_mutex_lock(&inner);
  while (!is_ready) pthread_cond_wait(&ready, &inner); // cause
  pthread_mutex_unlock(&inner);
#ifdef BUG
  pthread_mutex_unlock(&outer);
#endif
  return unused;
}

static void *produce(void *unused) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, consume, 0);
  pthread_create(&b, 0, produce, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
