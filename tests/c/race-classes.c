/*
 * Races whose class is known, by name of the case. Those of the paper (Kasikci et al., TOPLAS 2015) first, in words of our
 * own, then others.
 */
#include <assert.h>
#include <faultline.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACH_THREAD(...)                                                                                               \
  void *(*bodies[])(void *) = {__VA_ARGS__};                                                                           \
  enum { threads = sizeof bodies / sizeof *bodies };                                                                   \
  pthread_t ids[threads];                                                                                              \
  for (int i = 0; i < threads; i++) pthread_create(&ids[i], 0, bodies[i], 0);                                          \
  for (int i = 0; i < threads; i++) pthread_join(ids[i], 0);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Figure 1: a flag instead of synchronisation. */
static int value;
static volatile int is_done;
static void *sets_value(void *unused) {
  value = 7;
  is_done = 1;
  return unused;
}
static void *waits_for_value(void *unused) {
  while (!is_done)
    ;
  printf("%d\n", value);
  return unused;
}
static void figure_1(void) { EACH_THREAD(sets_value, waits_for_value) }

/* Figure 6: a counter read twice without the lock that its writers take; the array ends between the two reads. */
static int id, uses_table, *statistics;
static void *takes_request(void *unused) {
  pthread_mutex_lock(&lock);
  id++;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *counts_requests(void *unused) {
  if (uses_table)
    printf("%s\n", id < 100 ? "few" : "many");
  else if (id < 4)
    statistics[id] = 1;
  return unused;
}
static void figure_6_table(void) {
  id = 3;
  uses_table = 1;
  EACH_THREAD(takes_request, counts_requests)
}
static void figure_6(void) {
  id = 3;
  statistics = calloc(4, sizeof *statistics);
  EACH_THREAD(takes_request, counts_requests)
}

/* Figure 14 a: both free. */
static char *resource;
static void *releases(void *unused) {
  if (resource) {
    free(resource);
    resource = 0;
  }
  return unused;
}
static void figure_14a(void) {
  resource = malloc(8);
  EACH_THREAD(releases, releases)
}

/* Figure 14 b: both write the same. */
static int is_initialised;
static void *initialises(void *unused) {
  is_initialised = 1;
  return unused;
}
static void figure_14b(void) { EACH_THREAD(initialises, initialises) }

/* Figure 14 c: what is printed depends on when it is read. */
static int now;
static void *ticks(void *unused) {
  now = 5;
  return unused;
}
static void *reports(void *unused) {
  printf("time %d\n", now);
  return unused;
}
static void figure_14c(void) { EACH_THREAD(ticks, reports) }

/* Figure 14 d: waits for the others to be ready, giving way. */
static volatile int is_ready;
static int blocks;
static void *produces(void *unused) {
  blocks = 3;
  is_ready = 1;
  return unused;
}
static void *consumes(void *unused) {
  while (!is_ready) sched_yield();
  assert(blocks == 3);
  return unused;
}
static void figure_14d(void) { EACH_THREAD(produces, consumes) }

/* The four kinds of races that are said to be harmless. */
static int same;
static void *writes_same(void *unused) {
  same = 9;
  return unused;
}
static void redundant_writes(void) { EACH_THREAD(writes_same, writes_same) printf("%d\n", same); }

static int any;
static void *writes_one(void *unused) {
  any = 1;
  return unused;
}
static void *writes_two(void *unused) {
  any = 2;
  return unused;
}
static void all_values_valid(void) { EACH_THREAD(writes_one, writes_two) assert(any == 1 || any == 2); }

static int bits;
static void *sets_first(void *unused) {
  bits |= 1;
  return unused;
}
static void *sets_second(void *unused) {
  bits |= 2;
  return unused;
}
/* Nobody looks at what the other wrote. */
static void disjoint_bits(void) { EACH_THREAD(sets_first, sets_second) assert(bits & 3); }
/* A lost update can be seen. */
static void disjoint_bits_seen(void) { EACH_THREAD(sets_first, sets_second) assert(bits == 3); }

static int *instance, made;
static void *uses_instance(void *unused) {
  if (!instance) {
    pthread_mutex_lock(&lock);
    if (!instance) {
      made = 42;
      instance = &made;
    }
    pthread_mutex_unlock(&lock);
  }
  assert(*instance == 42);
  return unused;
}
static void double_checked(void) { EACH_THREAD(uses_instance, uses_instance) }

/* Figure 17, with the notes on it. */
static volatile int x17, y17;
static pthread_barrier_t barrier17;
static void *both17(void *unused) {
  x17 = 2;
  y17 = 1;
  return unused;
}
static void *x_only17(void *unused) {
  x17 = 2;
  return unused;
}
static void start17(void *(*one)(void *), void *(*two)(void *), pthread_t *ids) {
  pthread_create(&ids[0], 0, one, 0);
  pthread_create(&ids[1], 0, two, 0);
}
static void join17(pthread_t *ids) {
  pthread_join(ids[0], 0);
  pthread_join(ids[1], 0);
}
static void no_sync(void) {
  pthread_t ids[2];
  start17(both17, x_only17, ids);
  printf("%d,%d\n", x17, y17);
  join17(ids);
}
static void no_sync_bug(void) {
  pthread_t ids[2];
  start17(both17, x_only17, ids);
  int y = y17;
  int x = x17;
  assert(!(x == 0 && y == 1));
  join17(ids);
}
static void *both_at_barrier17(void *unused) {
  x17 = 2;
  pthread_barrier_wait(&barrier17);
  y17 = 1;
  return unused;
}
static void *x_at_barrier17(void *unused) {
  x17 = 2;
  pthread_barrier_wait(&barrier17);
  return unused;
}
static void sync17(void) {
  pthread_t ids[2];
  pthread_barrier_init(&barrier17, 0, 3);
  start17(both_at_barrier17, x_at_barrier17, ids);
  pthread_barrier_wait(&barrier17);
  printf("%d\n", x17);
  join17(ids);
}

/* Others. */
static int counter;
static void *counts(void *unused) {
  counter++;
  return unused;
}
static void lost_update(void) { EACH_THREAD(counts, counts) assert(counter == 2); }

static int stopped;
static volatile int turn;
static void *stops(void *unused) {
  stopped = 1;
  if (!turn) turn = 1;
  return unused;
}
/* Comes too early and waits for a turn that nobody gives any more. */
static void *waits_for_turn(void *unused) {
  if (!stopped) {
    turn = 2;
    while (turn == 2)
      ;
  }
  return unused;
}
static void hang(void) { EACH_THREAD(stops, waits_for_turn) }

/* An element each, and one too many. */
static int cells[4];
static void *fills(void *unused) {
  for (int i = 0; i < 4; i++) cells[i] = 1;
  return unused;
}
static void array(void) { EACH_THREAD(fills, fills) }

/* A time below zero, if only for a moment: only the predicate says that it is wrong. */
static int limit = 5, stamp;
static int is_positive(void) { return stamp >= 0; }
static void *stamps(void *unused) {
  stamp = limit - 1;
  stamp = 4;
  return unused;
}
static void *resets(void *unused) {
  limit = 0;
  limit = 5;
  return unused;
}
static void no_predicate(void) { EACH_THREAD(stamps, resets) }
static void predicate(void) {
  faultline_invariant(is_positive);
  EACH_THREAD(stamps, resets)
}

static void locked_body(void) {
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
}
static void *counts_locked(void *unused) {
  locked_body();
  return unused;
}
static void locked(void) { EACH_THREAD(counts_locked, counts_locked) assert(counter == 2); }

static void *prints_in_pieces(void *unused) {
  printf("a");
  printf("%d", now);
  printf("\n");
  return unused;
}
static void pieces(void) { EACH_THREAD(ticks, prints_in_pieces) }

static void *prints_one(void *unused) {
  any = 1;
  printf("one\n");
  return unused;
}
static void *prints_two(void *unused) {
  any = 2;
  printf("two\n");
  return unused;
}
static void free_order(void) { EACH_THREAD(prints_one, prints_two) }

#define CASE(name)                                                                                                     \
  if (argc > 1 && strcmp(argv[1], #name) == 0) {                                                                       \
    name();                                                                                                            \
    return 0;                                                                                                          \
  }

int main(int argc, char **argv) {
  CASE(figure_1)
  CASE(figure_6)
  CASE(figure_6_table)
  CASE(figure_14a)
  CASE(figure_14b)
  CASE(figure_14c)
  CASE(figure_14d)
  CASE(redundant_writes)
  CASE(all_values_valid)
  CASE(disjoint_bits)
  CASE(disjoint_bits_seen)
  CASE(double_checked)
  CASE(no_sync)
  CASE(no_sync_bug)
  CASE(sync17)
  CASE(lost_update)
  CASE(hang)
  CASE(array)
  CASE(predicate)
  CASE(no_predicate)
  CASE(locked)
  CASE(pieces)
  CASE(free_order)
  return 2;
}
