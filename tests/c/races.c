/* Races and what looks like one; the first argument chooses. Reports are told apart by function. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct x {
  int foo;
  int baz;
};
struct y {
  int bar;
};

static struct x *block;
static struct x *published;
static struct y *other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int data;
static union {
  int whole;
  char bytes[4];
  char many[64];
} shared;
static pthread_once_t once = PTHREAD_ONCE_INIT;

typedef void *body(void *);

/* Quicksand, figure 5: the memory is the same, the blocks are not. */
static void *write_and_free(void *u) {
  block->foo = 1;
  free(block);
  return u;
}
static void *allocate_and_write(void *u) {
  other = malloc(sizeof(struct x));
  other->bar = 2;
  return u;
}

/* Figure 6: the stale pointer was published before. */
static void *publish_write_free(void *u) {
  pthread_mutex_lock(&lock);
  published = block;
  pthread_mutex_unlock(&lock);
  block->foo = 1;
  free(block);
  return u;
}
static void *allocate_and_write_published(void *u) {
  pthread_mutex_lock(&lock);
  struct x *x2 = published;
  pthread_mutex_unlock(&lock);
  if (!x2) return u;
  struct y *y = malloc(sizeof(struct x));
  (void)y;
  x2->foo = 2;
  return u;
}

/* Messages. */
static void *send(void *u) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return u;
}
static void *send_relaxed(void *u) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return u;
}
static void *send_fence(void *u) {
  data = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return u;
}
static void *receive(void *u) {
  if (atomic_load_explicit(&flag, memory_order_acquire)) data++;
  return u;
}
static void *receive_relaxed(void *u) {
  if (atomic_load_explicit(&flag, memory_order_relaxed)) data++;
  return u;
}
static void *receive_fence(void *u) {
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    data++;
  }
  return u;
}
/* Fails whenever the message is there: the order of failure counts. */
static void *receive_failing(void *u) {
  int expected = 0;
  if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 5, memory_order_acq_rel, memory_order_acquire))
    data++;
  return u;
}
static void *receive_failing_relaxed(void *u) {
  int expected = 0;
  if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 5, memory_order_acq_rel, memory_order_relaxed))
    data++;
  return u;
}
static void *pass_on(void *u) {
  atomic_fetch_or_explicit(&flag, 2, memory_order_relaxed);
  return u;
}
static void *receive_passed_on(void *u) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 3) data++;
  return u;
}

/* Ranges. */
static void *write_whole(void *u) {
  shared.whole = 1;
  return u;
}
static void *write_second_byte(void *u) {
  shared.bytes[1] = 1;
  return u;
}
static void *write_last_byte(void *u) {
  shared.many[63] = 1;
  return u;
}
static void *clear_all(void *u) {
  memset(&shared, 0, sizeof shared);
  return u;
}
static void *read_atomically(void *u) {
  (void)atomic_load((_Atomic int *)&shared.whole);
  return u;
}

/* Freeing. */
static void *just_free(void *u) {
  free(block);
  return u;
}
static void *just_read(void *u) {
  volatile int seen = block->baz;
  (void)seen;
  return u;
}

/* Once. */
static void initialise(void) { data = 1; }
static void *use_once(void *u) {
  pthread_once(&once, initialise);
  volatile int seen = data;
  (void)seen;
  return u;
}

static body *cases[][3] = {
    {write_and_free, allocate_and_write},
    {publish_write_free, allocate_and_write_published},
    {send, receive},
    {send_relaxed, receive},
    {send, receive_relaxed},
    {send_fence, receive_fence},
    {send, receive_failing},
    {send, receive_failing_relaxed},
    {send, pass_on, receive_passed_on},
    {write_whole, write_second_byte, write_last_byte},
    {write_last_byte, clear_all},
    {write_second_byte, read_atomically},
    {just_free, just_read},
    {use_once, use_once},
};

int main(int argc, char **argv) {
  pthread_t threads[3];
  body **bodies = cases[argc > 1 ? atoi(argv[1]) : 0];
  block = malloc(sizeof *block);
  for (int i = 0; i < 3; i++)
    if (bodies[i]) pthread_create(&threads[i], 0, bodies[i], 0);
  for (int i = 0; i < 3; i++)
    if (bodies[i]) pthread_join(threads[i], 0);
  return 0;
}
