/* Szymanski's lock for two, which waits at a door; without the wait for those who are inside already, both get in. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2], inside;

static void *worker(void *number) {
  int me = (int)(long)number, other = 1 - me;
  flag[me] = 1;
  while (flag[other] >= 3) {}
  flag[me] = 3;
  if (flag[other] == 1) {
    flag[me] = 2;
    while (flag[other] != 4 && flag[other] != 0) {}
  }
  flag[me] = 4;
#ifndef BUG
  if (me == 1) while (flag[0] >= 2) {}
#endif
  assert(atomic_fetch_add(&inside, 1) == 0); // cause
  inside--;
  if (me == 0) while (flag[1] == 2 || flag[1] == 3) {}
  flag[me] = 0;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0L);
  pthread_create(&b, 0, worker, (void *)1L);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
