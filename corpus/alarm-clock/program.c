/* An alarm clock: a sleeper who registers after the tick that would wake it sleeps on. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t rung = PTHREAD_COND_INITIALIZER;
static int now;

static void *sleeper(void *unused) {
  pthread_mutex_lock(&lock);
#ifdef BUG
  int wake_at = 2;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  if (now != wake_at) pthread_cond_wait(&rung, &lock); // cause
#else
  while (now < 2) pthread_cond_wait(&rung, &lock);
#endif
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *ticker(void *unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    now++; // cause
    if (now == 2) pthread_cond_broadcast(&rung);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, sleeper, 0);
  pthread_create(&b, 0, ticker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
