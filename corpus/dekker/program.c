/* Dekker's lock: whose turn it is must be handed on before the own wish is taken back. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int wants[2], turn, inside;

static void *worker(void *number) {
  int me = (int)(long)number, other = 1 - me;
  wants[me] = 1;
  while (wants[other]) {
#ifdef BUG
    if (turn != me) break; // cause
#else
    if (turn == me) continue;
    wants[me] = 0;
    while (turn != me) {}
    wants[me] = 1;
#endif
  }
  assert(atomic_fetch_add(&inside, 1) == 0);
  inside--;
  turn = other;
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
