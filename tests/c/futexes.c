/* Waiting on addresses, by the instructions themselves. CASE chooses the program. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define FOREVER (-1ll)

static _Atomic int word;
static _Atomic long long wide;
static _Atomic int arrived;
static int results[3];

static int wait32(int expected, long long timeout) {
  return __builtin_wasm_memory_atomic_wait32((int *)&word, expected, timeout);
}

static int notify(unsigned count) { return (int)__builtin_wasm_memory_atomic_notify((int *)&word, count); }

#if CASE == 1
/* A hand-over that never hangs. */
static void *other(void *argument) {
  (void)argument;
  word = 1;
  notify(1);
  return 0;
}

static void run(void) {
  while (word == 0) wait32(0, FOREVER);
}
#elif CASE == 2
/* The notify comes too early. */
static void *other(void *argument) {
  (void)argument;
  notify(1);
  word = 1;
  return 0;
}

static void run(void) {
  while (word == 0) wait32(0, FOREVER);
}
#elif CASE == 3
/* All three outcomes of a timed wait. */
static void *other(void *argument) {
  (void)argument;
  word = 1;
  notify(1);
  return 0;
}

static void run(void) { printf("%d", wait32(0, 1000)); }
#elif CASE == 4
/* Who is woken, and how many: a notify that finds both waiting may pick either. */
static void *other(void *argument) {
  results[(long)argument] = 1 + wait32(0, FOREVER);
  return 0;
}
#elif CASE == 5
/* 64 bits: only the upper half differs. */
static void *other(void *argument) {
  (void)argument;
  wide = 1ll << 32;
  __builtin_wasm_memory_atomic_notify((int *)&wide, 1);
  return 0;
}

static void run(void) { printf("%d", __builtin_wasm_memory_atomic_wait64((long long *)&wide, 0, FOREVER)); }
#elif CASE == 6
/* Not aligned. */
static void *other(void *argument) { return argument; }

static void run(void) { __builtin_wasm_memory_atomic_notify((int *)((char *)&word + 1), 1); }
#elif CASE == 7
/* Two of three. */
static void *other(void *argument) {
  arrived++;
  results[(long)argument] = 1 + wait32(0, FOREVER);
  return 0;
}
#endif

#if CASE == 4 || CASE == 7
#define COUNT (CASE == 4 ? 2 : 3)
int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < COUNT; i++) pthread_create(&threads[i], 0, other, (void *)i);
  int woken = notify(COUNT - 1);
  printf("%d", woken);
  /* Lets the rest go in any case. */
  word = 1;
  for (int i = 0; i < COUNT; i++) printf("%d", results[i]);
  notify(3);
  for (long i = 0; i < COUNT; i++) pthread_join(threads[i], 0);
  return 0;
}
#else
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  run();
  pthread_join(thread, 0);
  return 0;
}
#endif
