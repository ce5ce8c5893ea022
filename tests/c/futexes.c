/* Waiting on addresses, by the instructions themselves. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include "case.h"

#define FOREVER (-1ll)

static _Atomic int word;
static _Atomic long long wide;
static _Atomic int arrived;
static int results[3];

static int wait32(int expected, long long timeout) {
  return __builtin_wasm_memory_atomic_wait32((int *)&word, expected, timeout);
}

static int notify(unsigned count) { return (int)__builtin_wasm_memory_atomic_notify((int *)&word, count); }

static void *other(void *argument) {
  switch (CASE) {
    case 1: /* A hand-over that never hangs. */
    case 3: /* All three outcomes of a timed wait. */
      word = 1;
      notify(1);
      break;
    case 2: /* The notify comes too early. */
      notify(1);
      word = 1;
      break;
    case 5: /* 64 bits: only the upper half differs. */
      wide = 1ll << 32;
      __builtin_wasm_memory_atomic_notify((int *)&wide, 1);
      break;
    case 7: /* Two of three. */
      arrived++;
      /* Falls through. */
    case 4: /* Who is woken, and how many: a notify that finds both waiting may pick either. */
      results[(long)argument] = 1 + wait32(0, FOREVER);
      break;
  }
  return 0;
}

static void run(void) {
  switch (CASE) {
    case 1:
    case 2:
      while (word == 0) wait32(0, FOREVER);
      break;
    case 3:
      printf("%d", wait32(0, 1000));
      break;
    case 5:
      printf("%d", __builtin_wasm_memory_atomic_wait64((long long *)&wide, 0, FOREVER));
      break;
    case 6: /* Not aligned. */
      __builtin_wasm_memory_atomic_notify((int *)((char *)&word + 1), 1);
      break;
  }
}

/* All but one of several are notified. */
static void several(long count) {
  pthread_t threads[3];
  for (long i = 0; i < count; i++) pthread_create(&threads[i], 0, other, (void *)i);
  int woken = notify(count - 1);
  printf("%d", woken);
  /* Lets the rest go in any case. */
  word = 1;
  for (int i = 0; i < count; i++) printf("%d", results[i]);
  notify(3);
  for (long i = 0; i < count; i++) pthread_join(threads[i], 0);
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  if (CASE == 4 || CASE == 7) {
    several(CASE == 4 ? 2 : 3);
    return 0;
  }
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  run();
  pthread_join(thread, 0);
  return 0;
}
