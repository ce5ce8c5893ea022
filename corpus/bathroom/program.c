/* Unisex bathroom: switch of sex decided before the lock is taken again. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int men, women;
static void *man(void *a) {
  pthread_mutex_lock(&m);
#ifdef BUG
  if (women > 0) pthread_cond_wait(&c, &m);
#else
  while (women > 0) pthread_cond_wait(&c, &m);
#endif
  men++;
  assert(women == 0);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  men--; if (!men) pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *woman(void *a) {
  pthread_mutex_lock(&m);
  while (men > 0) pthread_cond_wait(&c, &m);
  women++;
  assert(men == 0);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  women--; if (!women) pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, woman, 0); pthread_create(&t[1], 0, woman, 0); pthread_create(&t[2], 0, man, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
