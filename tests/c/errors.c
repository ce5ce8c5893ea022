/* One error each, chosen by CASE. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "case.h"

static volatile int zero, sink;
static int *volatile pointer;

static int recurse(int n) { /* error 7 */
  volatile char frame[64];
  frame[0] = (char)n;
  return recurse(n + 1) + frame[0];
}

static int divide(int by) { return 10 / by; } /* error 3 */

static void large_frame(void) { /* error 12 */
  volatile char large[900000];
  large[zero] = 1;
}

static void *worker(void *argument) {
  if (CASE == 1) {
    assert(zero == 1 && "one is not zero"); /* error 1 */
  } else if (CASE == 2) {
    abort(); /* error 2 */
  } else if (CASE == 3) {
    sink = divide(zero);
  } else if (CASE == 4) {
    sink = *pointer; /* error 4 */
  } else if (CASE == 5) {
    pointer = (int *)0xfffffff0u;
    *pointer = 1; /* error 5 */
  } else if (CASE == 6) {
    __builtin_trap(); /* error 6 */
  } else if (CASE == 7) {
    sink = recurse(0);
  } else if (CASE == 8) {
    void (*function)(void) = (void (*)(void))(long)(zero + 12345);
    function(); /* error 8 */
  } else if (CASE == 9) {
    for (unsigned i = 0;; i++) {} /* error 9 */
  } else if (CASE == 10) {
    for (;;) printf("again and again\n"); /* error 10 */
  } else if (CASE == 11) {
    exit(4); /* error 11 */
  } else if (CASE == 12) {
    large_frame();
  } else if (CASE == 13) {
    for (;;) sink++; /* error 13 */
  } else if (CASE == 14) {
    int (*wrong)(int, int, double) = (int (*)(int, int, double))divide;
    sink = wrong(1, 2, 3.0); /* error 14 */
  } else if (CASE == 15) {
    pointer = 0;
    *pointer = 1; /* error 15 */
  }
  return argument;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
