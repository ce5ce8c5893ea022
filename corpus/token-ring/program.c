/* Each of four copies its neighbour's token: they are all the same only if they run in the order of the ring. */
#include <assert.h>
#include <pthread.h>
static int token[4] = {1, 1, 1, 1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *pass(void *number) {
  int me = (int)(long)number;
  pthread_mutex_lock(&lock);
#ifndef BUG
  while (turn != me) pthread_cond_wait(&passed, &lock);
#endif
  token[me] = me == 0 ? 2 : token[me - 1]; // cause
  turn++;
  pthread_cond_broadcast(&passed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, pass, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < 4; i++) assert(token[i] == 2);
}
