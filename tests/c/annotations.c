/* What faultline.h offers; the number of arguments chooses. */
#include <assert.h>
#include <faultline.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "case.h"

static int x, y;
static int *p = &x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *idle(void *unused) { return unused; }
static void nothing(void) {}

/* 1: no order of single writes may be left out, though nobody reads what another writes */
static int at_most_one_behind(void) { return x >= y; }
static void *write_x(void *unused) {
  x = 1;
  return unused;
}
static void *write_y(void *unused) {
  y = 1;
  return unused;
}
static void start_behind(void) { faultline_invariant(at_most_one_behind); }

/* 2: what it reads depends on what it read: q must not be looked at before it is filled */
static int q = 5;
static int points_to_small(void) { return *p < 5; }
static void *fill(void *unused) {
  q = 1;
  return unused;
}
static void *point(void *unused) {
  p = &q;
  return unused;
}
static void start_pointer(void) { faultline_invariant(points_to_small); }

/* 3: what holds under a lock need not hold while somebody has it */
static int equal(void) { return x == y; }
static void *change(void *unused) {
  pthread_mutex_lock(&lock);
  faultline_atomic_begin();
  x++;
  y++;
  faultline_atomic_end();
  pthread_mutex_unlock(&lock);
  return unused;
}
static void start_equal(void) { faultline_invariant(equal); }

/* 4: at the end */
static int both(void) { return x == 2; }
static void *increment(void *unused) {
  x = x + 1;
  return unused;
}
static void start_both(void) { faultline_at_end(both); }

/* 5: an assertion at the end, and memory that is gone */
static int *block;
static int unharmed(void) {
  assert(y == 0 || x == 1);
  return *block == 0;
}
static void *write_both(void *unused) {
  x = 1;
  y = 1;
  return unused;
}
static void *free_block(void *unused) {
  free(block);
  return unused;
}
static void start_block(void) {
  block = calloc(1, sizeof *block);
  faultline_at_end(unharmed);
}

/* 6: assumptions */
static void *assume(void *unused) {
  faultline_assume(x == 1);
  y = x;
  return unused;
}
static int seen(void) { return y == 1; }
static void start_seen(void) { faultline_at_end(seen); }

/* 9 to 11: a lock of one's own: right, broken, given back by the wrong thread */
static _Atomic int held;
static void acquire(void) {
  if (CASE == 10) {
    while (atomic_load(&held)) {}
    atomic_store(&held, 1);
  } else {
    while (atomic_exchange(&held, 1)) {}
  }
  faultline_acquired(&held);
}
static void release(void) {
  faultline_releasing(&held);
  atomic_store(&held, 0);
}
static void *enter_one(void *unused) {
  acquire();
  x = x + 1;
  release();
  return unused;
}
static void *enter_two(void *unused) {
  if (CASE != 11) acquire();
  x = x + 1;
  release();
  return unused;
}
static void start_lock(void) { faultline_name((void *)&held, sizeof held, "the lock"); }

/* 12 to 15: an allocator of one's own: right, used after free, freed twice, past the end */
static char pool[64];
static _Atomic int next;
static void *take(size_t size) {
  void *taken = pool + atomic_fetch_add(&next, 16);
  faultline_allocated(taken, size);
  return taken;
}
static int *shared;
static void *use(void *unused) {
  int *mine = take(8);
  mine[0] = mine[1] = 1;
  if (CASE == 15) mine[2] = 1;
  faultline_freed(mine);
  if (CASE == 14) faultline_freed(mine);
  return unused;
}
static void *give_back(void *unused) {
  if (CASE == 13) faultline_freed(shared);
  return unused;
}
static void start_pool(void) {
  faultline_pool(pool, sizeof pool);
  shared = take(8);
}
static void write_shared(void) {
  if (CASE == 13) shared[1] = 2;
}
static void finish_pool(void) {
  if (CASE != 13) faultline_freed(shared);
}

/* 16: names */
static void *write_named(void *unused) {
  faultline_name_thread("writer");
  x = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void start_names(void) {
  faultline_name_thread("tester");
  faultline_name(&x, sizeof x, "the flag");
  faultline_name(&lock, sizeof lock, "the gate");
}

/* 17 and 18: invariants that do what they must not */
static int meddling(void) {
  y++;
  return 1;
}
static int locking(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 1;
}
static void start_meddling(void) { faultline_invariant(meddling); }
static void start_locking(void) { faultline_invariant(locking); }

/* 19: variables of its own, loops and calls are all right */
static int values[3];
static int sum(const int *from, int n) {
  int copy[3], total = 0;
  memcpy(copy, from, sizeof copy);
  for (int i = 0; i < n; i++) total += copy[i];
  return total;
}
static int small(void) { return sum(values, 3) <= 2; }
static void *write_two_values(void *unused) {
  values[0] = 1;
  values[1] = 1;
  return unused;
}
static void *write_and_clear(void *unused) {
  values[2] = 1;
  values[2] = 0;
  return unused;
}
static void start_small(void) { faultline_invariant(small); }

typedef void *body(void *);
typedef void step(void);

static const struct {
  step *start;
  body *one, *two;
  step *meanwhile, *finish;
} cases[] = {
    [1] = {start_behind, write_x, write_y},
    [2] = {start_pointer, fill, point},
    [3] = {start_equal, change, change},
    [4] = {start_both, increment, increment},
    [5] = {start_block, write_both, free_block},
    [6] = {start_seen, write_x, assume},
    [9] = {start_lock, enter_one, enter_two},
    [10] = {start_lock, enter_one, enter_two},
    [11] = {start_lock, enter_one, enter_two},
    [12] = {start_pool, use, give_back, write_shared, finish_pool},
    [13] = {start_pool, use, give_back, write_shared, finish_pool},
    [14] = {start_pool, use, give_back, write_shared, finish_pool},
    [15] = {start_pool, use, give_back, write_shared, finish_pool},
    [16] = {start_names, write_named, idle},
    [17] = {start_meddling, idle, idle},
    [18] = {start_locking, idle, idle},
    [19] = {start_small, write_two_values, write_and_clear},
};

UNSEEN static step *start(void) { return cases[CASE].start; }
UNSEEN static body *one(void) { return cases[CASE].one; }
UNSEEN static body *two(void) { return cases[CASE].two; }
UNSEEN static step *meanwhile(void) { return cases[CASE].meanwhile ? cases[CASE].meanwhile : nothing; }
UNSEEN static step *finish(void) { return cases[CASE].finish ? cases[CASE].finish : nothing; }

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t a, b;
  start()();
  pthread_create(&a, 0, one(), 0);
  pthread_create(&b, 0, two(), 0);
  meanwhile()();
  pthread_join(a, 0);
  pthread_join(b, 0);
  finish()();
  return 0;
}
