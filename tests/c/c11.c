/* C11 threads; CASE chooses. */
#include <assert.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#include "case.h"

static mtx_t m;
static cnd_t c;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int x, ready, destroyed;
static const struct timespec soon, moment = {0, 1000}, wrong = {0, -1};

static void once(void) { x++; }
static void destructor(void *value) { destroyed += *(int *)value; }

static int worker(void *argument) {
  if (CASE == 0) {
    assert(mtx_trylock(&m) == thrd_busy);
    assert(mtx_timedlock(&m, &soon) == thrd_timedout);
    assert(tss_get(key) == 0);
    assert(tss_set(key, argument) == thrd_success);
    thrd_exit(7);
  } else if (CASE == 1) { /* keeps others out */
    assert(mtx_lock(&m) == thrd_success);
    x++;
    assert(mtx_unlock(&m) == thrd_success);
  } else if (CASE == 2) { /* waits in a loop */
    mtx_lock(&m);
    while (!ready) assert(cnd_wait(&c, &m) == thrd_success);
    mtx_unlock(&m);
  } else if (CASE == 3) {
    call_once(&flag, once);
    assert(x == 1);
  } else if (CASE == 4) {
    mtx_lock(&m);
    cnd_signal(&c);
    mtx_unlock(&m);
  } else if (CASE == 6) {
    mtx_unlock(&m);
  }
  (void)argument;
  return 3;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  thrd_t a, b;
  int result = 0;
  (void)b;
  assert(mtx_init(&m, mtx_plain) == thrd_success);
  assert(cnd_init(&c) == thrd_success);
  if (CASE == 0) {
    int value = 5;
    mtx_t n;
    assert(mtx_init(&n, 99) == thrd_error);
    assert(mtx_init(&n, mtx_recursive | mtx_timed) == thrd_success);
    assert(mtx_lock(&n) == thrd_success);
    assert(mtx_timedlock(&n, &soon) == thrd_success);
    assert(mtx_unlock(&n) == thrd_success);
    assert(mtx_unlock(&n) == thrd_success);
    mtx_destroy(&n);
    assert(tss_create(&key, destructor) == thrd_success);
    assert(mtx_lock(&m) == thrd_success);
    assert(thrd_create(&a, worker, &value) == thrd_success);
    assert(!thrd_equal(a, thrd_current()) && thrd_equal(thrd_current(), thrd_current()));
    assert((thrd_equal)(a, a) && !(thrd_equal)(a, thrd_current()));
    assert(thrd_join(a, &result) == thrd_success);
    assert(result == 7 && destroyed == 5);
    assert(mtx_unlock(&m) == thrd_success);
    tss_delete(key);
    assert(tss_set(key, &value) == thrd_error);
    thrd_yield();
    assert(thrd_sleep(&moment, 0) == 0);
    assert(thrd_sleep(&wrong, 0) < -1);
    cnd_destroy(&c);
    mtx_destroy(&m);
  } else if (CASE == 1 || CASE == 3) {
    thrd_create(&a, worker, 0);
    thrd_create(&b, worker, 0);
    thrd_join(a, &result);
    thrd_join(b, 0);
    assert(result == 3);
    assert(x == (CASE == 1 ? 2 : 1));
  } else if (CASE == 2) {
    thrd_create(&a, worker, 0);
    thrd_create(&b, worker, 0);
    mtx_lock(&m);
    ready = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    thrd_join(a, 0);
    thrd_join(b, 0);
  } else if (CASE == 4) { /* a timed wait ends either way */
    mtx_lock(&m);
    thrd_create(&a, worker, 0);
    result = cnd_timedwait(&c, &m, &soon);
    printf("%s", result == thrd_success ? "signalled" : result == thrd_timedout ? "timed out" : "?");
    mtx_unlock(&m);
    thrd_join(a, 0);
  } else if (CASE == 5) {
    mtx_lock(&m);
    mtx_lock(&m);
  } else if (CASE == 6) {
    mtx_lock(&m);
    thrd_create(&a, worker, 0);
    thrd_join(a, 0);
  } else if (CASE == 7) { /* detached: nobody joins it */
    thrd_create(&a, worker, 0);
    assert(thrd_detach(a) == thrd_success);
    assert(thrd_join(a, 0) == thrd_error);
  }
  return 0;
}
