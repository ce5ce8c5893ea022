/* Peterson's lock with its two first lines the wrong way round. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int wants[2], last, inside;

static void *worker(void *number) {
  int me = (int)(long)number, other = 1 - me;
#ifdef BUG
  last = me; // cause
  wants[me] = 1; // cause
#else
  wants[me] = 1;
  last = me;
#endif
  while (wants[other] && last == me) {}
  assert(atomic_fetch_add(&inside, 1) == 0);
  inside--;
  wants[me] = 0;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0L);
  pthread_create(&b, 0, worker, (void *)1L);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
