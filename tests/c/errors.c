/* One error each, chosen by CASE. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int zero, sink;
static int *volatile pointer;

static int recurse(int n) { /* error 7 */
  volatile char frame[64];
  frame[0] = (char)n;
  return recurse(n + 1) + frame[0];
}

static int divide(int by) { return 10 / by; } /* error 3 */

static void *worker(void *argument) { /* error 12 */
#if CASE == 1
  assert(zero == 1 && "one is not zero"); /* error 1 */
#elif CASE == 2
  abort(); /* error 2 */
#elif CASE == 3
  sink = divide(zero);
#elif CASE == 4
  sink = *pointer; /* error 4 */
#elif CASE == 5
  pointer = (int *)0xfffffff0u;
  *pointer = 1; /* error 5 */
#elif CASE == 6
  __builtin_trap(); /* error 6 */
#elif CASE == 7
  sink = recurse(0);
#elif CASE == 8
  void (*function)(void) = (void (*)(void))(long)(zero + 12345);
  function(); /* error 8 */
#elif CASE == 9
  for (unsigned i = 0;; i++) {} /* error 9 */
#elif CASE == 10
  for (;;) printf("again and again\n"); /* error 10 */
#elif CASE == 11
  exit(4); /* error 11 */
#elif CASE == 12
  volatile char large[900000];
  large[zero] = 1;
#elif CASE == 13
  for (;;) sink++; /* error 13 */
#elif CASE == 14
  int (*wrong)(int, int, double) = (int (*)(int, int, double))divide;
  sink = wrong(1, 2, 3.0); /* error 14 */
#elif CASE == 15
  pointer = 0;
  *pointer = 1; /* error 15 */
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
