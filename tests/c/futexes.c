/* Waiting on addresses, by the instructions themselves. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
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

/* A lock by futexes, as people write it for Linux: 0 free, 1 taken, 2 taken and waited for. */
static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&word, &seen, 1)) return;
  if (seen != 2) seen = atomic_exchange(&word, 2);
  while (seen != 0) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    seen = atomic_exchange(&word, 2);
  }
}

static void unlock(int wakes) {
  if (atomic_exchange(&word, 0) == 2 && wakes) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static int counter;

static void count(void) {
  lock();
  counter++;
  unlock(CASE == 8);
}

static void *other(void *argument) {
  switch (CASE) {
    case 8: /* Right, and one that wakes nobody. */
    case 9:
      count();
      break;
    case 10:
      word = 1;
      syscall(SYS_futex, &word, FUTEX_WAKE, 1);
      break;
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
  struct timespec limit = {0, 1000}, before, after;
  switch (CASE) {
    case 8:
    case 9:
      count();
      break;
    case 10:
      clock_gettime(CLOCK_MONOTONIC, &before);
      if (syscall(SYS_futex, &word, FUTEX_WAIT, 0, &limit) == 0) printf("woken");
      else if (errno == EAGAIN) printf("changed");
      else {
        clock_gettime(CLOCK_MONOTONIC, &after);
        printf("%d %d", errno == ETIMEDOUT, after.tv_nsec - before.tv_nsec >= 1000);
      }
      break;
    case 11: /* What is not there. */
      syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
      break;
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
  return (CASE == 8 || CASE == 9) && counter != 2;
}
