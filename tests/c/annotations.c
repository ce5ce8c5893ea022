/* What faultline.h offers; CASE chooses. */
#include <assert.h>
#include <faultline.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int x, y;
static int *p = &x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#if CASE == 1 /* no order of single writes may be left out, though nobody reads what another writes */
static int at_most_one_behind(void) { return x >= y; }
static void *one(void *unused) {
  x = 1;
  return unused;
}
static void *two(void *unused) {
  y = 1;
  return unused;
}
static void start(void) { faultline_invariant(at_most_one_behind); }

#elif CASE == 2 /* what it reads depends on what it read: q must not be looked at before it is filled */
static int q = 5;
static int points_to_small(void) { return *p < 5; }
static void *one(void *unused) {
  q = 1;
  return unused;
}
static void *two(void *unused) {
  p = &q;
  return unused;
}
static void start(void) { faultline_invariant(points_to_small); }

#elif CASE == 3 /* what holds under a lock need not hold while somebody has it */
static int equal(void) { return x == y; }
static void change(void) {
  pthread_mutex_lock(&lock);
  faultline_atomic_begin();
  x++;
  y++;
  faultline_atomic_end();
  pthread_mutex_unlock(&lock);
}
static void *one(void *unused) {
  change();
  return unused;
}
static void *two(void *unused) {
  change();
  return unused;
}
static void start(void) { faultline_invariant(equal); }

#elif CASE == 4 /* at the end */
static int both(void) { return x == 2; }
static void *one(void *unused) {
  x = x + 1;
  return unused;
}
#define two one
static void start(void) { faultline_at_end(both); }

#elif CASE == 5 /* an assertion at the end, and memory that is gone */
static int *block;
static int unharmed(void) {
  assert(y == 0 || x == 1);
  return *block == 0;
}
static void *one(void *unused) {
  x = 1;
  y = 1;
  return unused;
}
static void *two(void *unused) {
  free(block);
  return unused;
}
static void start(void) {
  block = calloc(1, sizeof *block);
  faultline_at_end(unharmed);
}

#elif CASE == 6 /* assumptions */
static void *one(void *unused) {
  x = 1;
  return unused;
}
static void *two(void *unused) {
  faultline_assume(x == 1);
  y = x;
  return unused;
}
static int seen(void) { return y == 1; }
static void start(void) { faultline_at_end(seen); }

#elif CASE == 7 || CASE == 8 /* rules: no points in quiet, or only in loud */
#if CASE == 7
FAULTLINE_WITHOUT(quiet)
#else
FAULTLINE_WITHIN(loud)
#endif
static void quiet(void) { x = x + 1; }
static void loud(void) { y = y + 1; }
static void *one(void *unused) {
  quiet();
  loud();
  return unused;
}
#define two one
static void show(void) { printf("%d%d", x, y); }
static void start(void) { atexit(show); }

#elif CASE >= 9 && CASE <= 11 /* a lock of one's own: right, broken, given back by the wrong thread */
static _Atomic int held;
static void acquire(void) {
#if CASE == 10
  while (atomic_load(&held)) {}
  atomic_store(&held, 1);
#else
  while (atomic_exchange(&held, 1)) {}
#endif
  faultline_acquired(&held);
}
static void release(void) {
  faultline_releasing(&held);
  atomic_store(&held, 0);
}
static void *one(void *unused) {
  acquire();
  x = x + 1;
  release();
  return unused;
}
static void *two(void *unused) {
#if CASE != 11
  acquire();
#endif
  x = x + 1;
  release();
  return unused;
}
static void start(void) { faultline_name((void *)&held, sizeof held, "the lock"); }

#elif CASE >= 12 && CASE <= 15 /* an allocator of one's own: right, used after free, freed twice, past the end */
static char pool[64];
static _Atomic int next;
static void *take(size_t size) {
  void *block = pool + atomic_fetch_add(&next, 16);
  faultline_allocated(block, size);
  return block;
}
static int *shared;
static void *one(void *unused) {
  int *mine = take(8);
  mine[0] = mine[1] = 1;
#if CASE == 15
  mine[2] = 1;
#endif
  faultline_freed(mine);
#if CASE == 14
  faultline_freed(mine);
#endif
  return unused;
}
static void *two(void *unused) {
#if CASE == 13
  faultline_freed(shared);
#endif
  return unused;
}
static void start(void) {
  faultline_pool(pool, sizeof pool);
  shared = take(8);
}
static void finish(void) {
#if CASE != 13
  faultline_freed(shared);
#endif
}
#define FINISH finish();

#elif CASE == 16 /* names */
static void *one(void *unused) {
  faultline_name_thread("writer");
  x = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *two(void *unused) { return unused; }
static void start(void) {
  faultline_name_thread("tester");
  faultline_name(&x, sizeof x, "the flag");
  faultline_name(&lock, sizeof lock, "the gate");
}

#elif CASE == 17 || CASE == 18 /* invariants that do what they must not */
static int meddling(void) {
#if CASE == 17
  y++;
#else
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
#endif
  return 1;
}
static void *one(void *unused) { return unused; }
#define two one
static void start(void) { faultline_invariant(meddling); }

#elif CASE == 19 /* variables of its own, loops and calls are all right */
static int values[3];
static int sum(const int *from, int n) {
  int copy[3], total = 0;
  memcpy(copy, from, sizeof copy);
  for (int i = 0; i < n; i++) total += copy[i];
  return total;
}
static int small(void) { return sum(values, 3) <= 2; }
static void *one(void *unused) {
  values[0] = 1;
  values[1] = 1;
  return unused;
}
static void *two(void *unused) {
  values[2] = 1;
  values[2] = 0;
  return unused;
}
static void start(void) { faultline_invariant(small); }
#endif

#ifndef FINISH
#define FINISH
#endif

int main(void) {
  pthread_t a, b;
  start();
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
#if CASE == 13
  shared[1] = 2;
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
  FINISH
  return 0;
}
