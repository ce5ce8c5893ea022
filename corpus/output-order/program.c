/* Two threads print; who reads the log takes the order for granted. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int lines, first;

static void *print(void *number) {
  int me = (int)(long)number;
  pthread_mutex_lock(&lock);
#ifndef BUG
  while (lines + 1 < me) pthread_cond_wait(&changed, &lock);
#endif
  if (lines++ == 0) first = me; // cause
  printf("line of %d\n", me);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, print, (void *)1L);
  pthread_create(&b, 0, print, (void *)2L);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(first == 1);
}
