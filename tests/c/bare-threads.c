/* Threads without anything around them: runtime/include/faultline_threads.h. */
#include "case.h"

#include <faultline.h>
#include <faultline_threads.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int reject;
static volatile int word;
static atomic_int ready, done;
static int child;

static void wait_for(atomic_int *flag) {
  while (!*flag) faultline_thread_yield(-1);
}

static void *sleeper(void *unused) {
  faultline_deschedule(&reject);
  done = 1;
  faultline_vanish();
  return unused;
}

/* Wakes whoever sleeps, however long that takes. */
static void wake(int id) {
  while (faultline_make_runnable(id) != 0 && !done) faultline_thread_yield(-1);
}

static void *adder(void *by) {
  faultline_xadd(&word, *(int *)by);
  faultline_vanish();
}

static void *taker(void *unused) {
  if (faultline_xchg(&word, 1) == 0) done++;
  if (faultline_cmpxchg(&word, 1, 2) == 1) ready++;
  faultline_vanish();
  return unused;
}

static void *prints_id(void *unused) {
  printf("%d", faultline_gettid());
  faultline_vanish();
  return unused;
}

/* Gives its stack up and still uses it, or not. */
static void *leaver(void *uses_stack) {
  if (!uses_stack) faultline_leave_stack();
  done = 1;
  faultline_vanish();
}

static void use_stack(int uses_stack) {
  char *stack = malloc(64);
  faultline_thread_fork(stack + 64, leaver, uses_stack ? stack : 0);
  wait_for(&done);
  free(stack);
}

static void *rejects(void *unused) {
  reject = 1;
  word = faultline_make_runnable(1);
  faultline_vanish();
  return unused;
}

static void *asks_for_child(void *unused) {
  printf("%d", faultline_make_runnable(3));
  faultline_vanish();
  return unused;
}

static int has_both(void) { return word == 3; }
static int succeeded_once(void) { return done == 1 && ready >= 1; }

int main(int argc, char **argv) {
  choose_case(argc, argv);
  switch (CASE) {
    case 1: /* woken, always */
      child = faultline_thread_fork(0, sleeper, 0);
      wake(child);
      wait_for(&done);
      break;
    case 2: /* a wake-up that comes too early is lost */
      child = faultline_thread_fork(0, sleeper, 0);
      faultline_make_runnable(child);
      wait_for(&done);
      break;
    case 3: /* whoever wants to sleep and finds that it must not does not */
      faultline_thread_fork(0, rejects, 0);
      faultline_deschedule(&reject);
      while (faultline_thread_yield(2) == 0) continue;
      printf("%d", word);
      break;
    case 4: { /* atomic instructions lose nothing */
      static int one = 1, two = 2;
      faultline_at_end(has_both);
      faultline_thread_fork(0, adder, &one);
      faultline_thread_fork(0, adder, &two);
      faultline_vanish();
    }
    case 5: /* and succeed once */
      faultline_at_end(succeeded_once);
      faultline_thread_fork(0, taker, 0);
      faultline_thread_fork(0, taker, 0);
      faultline_vanish();
    case 6: /* ids are those of the program's order, not of the schedule's */
      printf("%d", faultline_gettid());
      faultline_thread_fork(0, prints_id, 0);
      while (faultline_thread_yield(2) == 0) continue;
      faultline_thread_fork(0, prints_id, 0);
      break;
    case 7: use_stack(1); break;
    case 8: use_stack(0); break;
    case 9: /* nobody of that id */
      printf("%d %d %d", faultline_make_runnable(7), faultline_thread_yield(7), faultline_make_runnable(-5));
      printf(" %d %d", faultline_thread_sleep(-1), faultline_thread_sleep(2));
      printf(" %d", faultline_get_ticks());
      break;
    case 10: /* a thread that is yet to be made */
      faultline_thread_fork(0, asks_for_child, 0);
      reject = 1;
      faultline_thread_fork(0, sleeper, 0);
      faultline_vanish();
      break;
    case 11: faultline_deschedule(0); break;
    default: break;
  }
}
