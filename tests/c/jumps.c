/* setjmp and longjmp. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

#include "case.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static _Noreturn void deeper(jmp_buf to, int depth, int value) {
  if (depth > 0) deeper(to, depth - 1, value);
  longjmp(to, value);
}

static void here(void) {
  jmp_buf outer, inner;
  volatile int visits = 0;
  int value = setjmp(outer);
  visits++;
  if (visits == 1) {
    assert(value == 0);
    deeper(outer, 3, 7);
  }
  if (visits == 2) {
    assert(value == 7);
    longjmp(outer, 0);
  }
  assert(value == 1 && visits == 3);
  if (setjmp(inner) == 0) {
    if (setjmp(outer) == 0) deeper(outer, 1, 2);
    deeper(inner, 1, 3);
  }
  for (volatile int i = 0; i < 3; i++) {
    if (setjmp(inner) == 0) longjmp(inner, i + 1);
  }
}

/* Leaves a function between reading and writing. */
static void *lose(void *unused) {
  (void)unused;
  jmp_buf env;
  volatile int seen;
  if (setjmp(env) == 0) {
    seen = x;
    deeper(env, 1, 1);
  }
  x = seen + 1;
  return NULL;
}

static void *keep(void *unused) {
  (void)unused;
  jmp_buf env;
  pthread_mutex_lock(&m);
  if (setjmp(env) == 0) {
    x++;
    deeper(env, 2, 1);
  }
  pthread_mutex_unlock(&m);
  return NULL;
}

static jmp_buf gone;
static void leave(void) {
  if (setjmp(gone) != 0) assert(0);
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t other;
  switch (CASE) {
    case 1: here(); break;
    case 2:
    case 3:
      pthread_create(&other, NULL, CASE == 2 ? lose : keep, NULL);
      (CASE == 2 ? lose : keep)(NULL);
      pthread_join(other, NULL);
      printf("%d\n", x);
      break;
    case 4:
      leave();
      longjmp(gone, 1);
  }
}
