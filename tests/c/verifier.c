/* What test authors call; CASE chooses. */
#include <assert.h>
#include <faultline.h>
#include <pthread.h>
#include <stdio.h>
#include "case.h"

#ifndef ANY_VALUE
const int faultline_nondet_min = -1, faultline_nondet_max = 1;
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y;

static void *worker(void *argument) {
  if (CASE == 5) { /* stops for ever with the lock, now and then */
    pthread_mutex_lock(&m);
    __VERIFIER_assume(x == 0);
    x = 1;
    pthread_mutex_unlock(&m);
  } else if (CASE == 6) { /* only what comes before counts */
    x = 1;
    __VERIFIER_assume(0);
    x = 2;
  } else if (CASE == 7) { /* two steps at once */
    __VERIFIER_atomic_begin();
    x++;
    y++;
    __VERIFIER_atomic_end();
  } else if (CASE == 8) { /* waits inside */
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_end();
  } else if (CASE == 12) {
    int found = x;
    faultline_point();
    x = found + 1;
  } else if (CASE == 13) { /* lets others run inside, who come after */
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    x = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    x = 2;
    __VERIFIER_atomic_end();
  }
  return argument;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t a __attribute__((unused)), b __attribute__((unused));
  if (CASE == 1) {
    int first = faultline_choose(3), second = __VERIFIER_nondet_bool();
    printf("%d%d", first, second);
  } else if (CASE == 2) {
    faultline_choose(0);
  } else if (CASE == 3 || CASE == 4) {
    printf("%d", CASE == 4 ? (int)__VERIFIER_nondet_uint() : __VERIFIER_nondet_int());
  } else if (CASE == 9) {
    __VERIFIER_atomic_end();
  } else if (CASE == 10) {
    reach_error();
  } else if (CASE == 11) {
    __VERIFIER_atomic_begin();
    faultline_choose(2);
    __VERIFIER_atomic_end();
  }
  if (CASE >= 5 && CASE != 9 && CASE != 10 && CASE != 11) {
    pthread_create(&a, 0, worker, 0);
    if (CASE == 6) {
      printf("%d\n", x);
      assert(x != 2);
    } else if (CASE == 7) {
      __VERIFIER_atomic_begin();
      printf("%d%d", x, y);
      __VERIFIER_atomic_end();
    } else if (CASE == 8) {
      pthread_mutex_lock(&m);
      x = 5;
      y = x;
      pthread_mutex_unlock(&m);
      assert(y == 5);
    } else if (CASE == 13) {
      pthread_mutex_lock(&m);
      while (!x) pthread_cond_wait(&c, &m);
      pthread_mutex_unlock(&m);
      printf("%d", x);
    }
    if (CASE == 5 || CASE == 12) {
      pthread_create(&b, 0, worker, 0);
      pthread_join(b, 0);
    }
    pthread_join(a, 0);
    if (CASE == 5) {
      assert(!"both cannot get here");
    } else if (CASE == 12) {
      printf("%d", x);
    }
  }
  return 0;
}
