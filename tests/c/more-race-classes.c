/*
 * Races whose class is known by construction, written when the classifier was there, which was not changed for them: how
 * good it is on programs that nobody had in mind. Cases by name.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

/* Runs `body` beside `rest`. */
static void beside(void *(*body)(void *), void (*rest)(void)) {
  pthread_t thread;
  pthread_create(&thread, 0, body, 0);
  rest();
  pthread_join(thread, 0);
}

static void two(void *(*body)(void *)) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, body, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}

/* A count of uses that nobody looks at. */
static int uses, sum;
static void *adds(void *amount) {
  uses++;
  pthread_mutex_lock(&lock);
  sum += (int)(long)amount;
  pthread_mutex_unlock(&lock);
  return 0;
}
static void statistics(void) {
  two(adds);
  printf("sum %d\n", sum);
}
static void statistics_printed(void) {
  two(adds);
  printf("uses %d\n", uses);
}

static int *made;
static void *makes(void *unused) {
  made = malloc(sizeof *made);
  return unused;
}
static void takes(void) { *made = 3; }
static void not_made_yet(void) { beside(makes, takes); }

static int *buffer, is_closed;
static void *writes_unless_closed(void *unused) {
  if (!is_closed) buffer[0] = 1;
  return unused;
}
static void closes(void) {
  is_closed = 1;
  free(buffer);
}
static void closed_too_early(void) {
  buffer = calloc(4, sizeof *buffer);
  beside(writes_unless_closed, closes);
}

static volatile int stage;
static int first, second;
static void *second_stage(void *unused) {
  while (stage != 1) sched_yield();
  second = first + 1;
  stage = 2;
  return unused;
}
static void first_stage(void) {
  first = 5;
  stage = 1;
  while (stage != 2) sched_yield();
  assert(second == 6);
}
static void stages(void) { beside(second_stage, first_stage); }

static int is_short_way;
static void opens_short_way(void) {
  pthread_mutex_lock(&lock);
  is_short_way = 1;
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&lock);
}
static void *goes_long_way(void *unused) {
  if (is_short_way) return unused;
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&other);
  return unused;
}
static void locks_in_a_circle(void) { beside(goes_long_way, opens_short_way); }

static long chosen;
static void *chooses(void *number) {
  chosen = (long)number;
  return 0;
}
static void last_writer_printed(void) {
  two(chooses);
  printf("%s\n", chosen == 1 ? "first" : "second");
}
static void any_writer(void) {
  two(chooses);
  assert(chosen == 1 || chosen == 2);
}

static int is_ready, resource;
static int wrong_order(void) {
  if (!is_ready) {
    pthread_mutex_lock(&lock);
    if (!is_ready) {
      is_ready = 1;
      resource = 9;
    }
    pthread_mutex_unlock(&lock);
  }
  return resource;
}
static void *uses_resource(void *unused) {
  assert(wrong_order() == 9);
  return unused;
}
static void uses_it_too(void) { uses_resource(0); }
static void ready_too_early(void) { beside(uses_resource, uses_it_too); }

static volatile int stop, seen;
static void *runs_until_stopped(void *unused) {
  while (!stop) seen = 1;
  return unused;
}
static void stops_unless_seen(void) {
  stop = 1;
  stop = seen ? 0 : 1;
}
static void never_stopped(void) { beside(runs_until_stopped, stops_unless_seen); }

static int length;
static char *text;
static void *lengthens(void *unused) {
  length = 8;
  return unused;
}
static void fills(void) {
  for (int i = 0; i < length; i++) text[i] = 'x';
}
static void too_long(void) {
  text = malloc(4);
  length = 4;
  beside(lengthens, fills);
}

static struct {
  unsigned left : 1, right : 1;
} fields;
static void *sets_left(void *unused) {
  fields.left = 1;
  return unused;
}
static void sets_right(void) { fields.right = 1; }
static void neighbouring_bits(void) {
  beside(sets_left, sets_right);
  assert(fields.left && fields.right);
}

static int level;
static void *tells(void *unused) {
  if (level > 0) fprintf(stderr, "worker\n");
  return unused;
}
static void raises_level(void) { level = 1; }
static void debug_output(void) { beside(tells, raises_level); }

#define CASE(name)                                                                                                     \
  if (argc > 1 && strcmp(argv[1], #name) == 0) {                                                                       \
    name();                                                                                                            \
    return 0;                                                                                                          \
  }

int main(int argc, char **argv) {
  CASE(statistics)
  CASE(statistics_printed)
  CASE(not_made_yet)
  CASE(closed_too_early)
  CASE(stages)
  CASE(locks_in_a_circle)
  CASE(last_writer_printed)
  CASE(any_writer)
  CASE(ready_too_early)
  CASE(never_stopped)
  CASE(too_long)
  CASE(neighbouring_bits)
  CASE(debug_output)
  return 2;
}
