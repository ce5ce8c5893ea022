/* The same test in C and in C++. */
#include "signal_pool.h"
#include <assert.h>

static int steps;

static void job(void *argument) {
  int i;
  (void)argument;
  for (i = 0; i < 2 && !signal_pool_interrupted(); i++) steps++;
}

int main(void) {
  signal_pool *pool = signal_pool_new(1);
  int asked;
  assert(signal_pool_add(pool, job, 0) == 0);
  signal_pool_interrupt(pool);
  asked = signal_pool_free(pool);
  assert(asked == 1);
  assert(steps <= 2);
  return 0;
}
