/*
 * Pseudo-random numbers: a sequence of its own per thread, so that what a thread draws does not depend on the others.
 * Every thread begins as if it had called srand(1).
 */
#include <stdint.h>
#include <stdlib.h>

/* Knuth's MMIX constants; the high bits are the good ones. */
static _Thread_local uint64_t state = 1;

static int draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)(state >> 33) & RAND_MAX;
}

int __wrap_rand(void) { return draw(); }

void __wrap_srand(unsigned seed) { state = seed; }

long __wrap_random(void) { return draw(); }

void __wrap_srandom(unsigned seed) { state = seed; }
