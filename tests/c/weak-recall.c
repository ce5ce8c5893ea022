/* What it takes to do executions from memory under weak memory models, one thing per CASE. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LOAD(v) atomic_load_explicit(&v, memory_order_relaxed)
#define STORE(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)

static atomic_int x, y;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void steps(int n) {
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

#if CASE == 1 /* The same value of two writers: who sees that of the second one races. */
static void *one(void *p) { data = 1; atomic_store_explicit(&y, 1, memory_order_release); return p; }
static void *two(void *p) { STORE(x, LOAD(x) + 1); STORE(y, 1); return p; }
static void *three(void *p) {
  if (atomic_load_explicit(&y, memory_order_acquire) == 1 && LOAD(x) == 0) STORE(x, 10 + data);
  return p;
}
#elif CASE == 2 /* What is last in modification order is what main finds. */
static void *one(void *p) { STORE(x, 1); STORE(y, 2); return p; }
static void *two(void *p) { STORE(y, 1); STORE(x, 2); return p; }
static void *three(void *p) { STORE(x, 3); return p; }
#define END steps(*(int *)&x + 3 * *(int *)&y)
#elif CASE == 3 /* Blocks that are handed over, and freed. */
static _Atomic(int *) head;
static void *one(void *p) {
  int *block = malloc(sizeof *block);
  *block = LOAD(x);
  free(atomic_exchange_explicit(&head, block, memory_order_acq_rel));
  return p;
}
static void *two(void *p) {
  int *block = atomic_exchange_explicit(&head, NULL, memory_order_acquire);
  STORE(x, 1);
  if (block) steps(1 + *block);
  free(block);
  return p;
}
#define three one
#elif CASE == 4 /* Plain data under a lock, and a lock that is tried. */
static void *one(void *p) {
  pthread_mutex_lock(&mutex);
  data++;
  STORE(x, data);
  pthread_mutex_unlock(&mutex);
  return p;
}
static void *two(void *p) {
  if (pthread_mutex_trylock(&mutex) != 0) { STORE(y, 1 + LOAD(x)); return p; }
  data += 2 + LOAD(y);
  pthread_mutex_unlock(&mutex);
  return p;
}
#define three one
#define END steps(data)
#elif CASE == 5 /* Frames that are used again, and memory that is written plainly in between. */
static void *use(atomic_int *a) { STORE(*a, LOAD(x)); return 0; }
static void frame(int n) {
  atomic_int local;
  atomic_init(&local, n);
  use(&local);
  STORE(y, LOAD(local) + n);
}
static void other(void) {
  volatile int scratch[8];
  for (int i = 0; i < 8; i++) scratch[i] = i;
  atomic_int late;
  pthread_mutex_lock(&mutex);
  if (atomic_fetch_add_explicit((atomic_int *)&late, 0, memory_order_relaxed) == 0) LOAD(x);
  pthread_mutex_unlock(&mutex);
}
static void *one(void *p) { frame(1); frame(2); return p; }
static void *two(void *p) { STORE(x, 1); other(); STORE(x, 2); return p; }
#define three two
#define BEGIN (*(int *)&x = 5, STORE(x, 6), *(int *)&x = 7)
#elif CASE == 6 /* Waiting in a loop. */
static void *one(void *p) { STORE(x, 1); STORE(y, 1); return p; }
static void *two(void *p) { while (LOAD(y) == 0); STORE(x, 2); return p; }
static void *three(void *p) { STORE(x, 3); steps(LOAD(x)); return p; }
#elif CASE == 7 /* Other sizes, and fences. */
static atomic_uchar small;
static _Atomic(long long) large;
static void *one(void *p) {
  STORE(large, -1LL << 40);
  atomic_thread_fence(memory_order_release);
  STORE(small, 200);
  return p;
}
static void *two(void *p) {
  atomic_fetch_add_explicit(&small, 100, memory_order_acq_rel);
  atomic_fetch_sub_explicit(&large, 5, memory_order_relaxed);
  return p;
}
static void *three(void *p) {
  int seen = LOAD(small);
  atomic_thread_fence(memory_order_seq_cst);
  steps(LOAD(large) < -5 ? 2 : seen == 44);
  return p;
}
#elif CASE == 8 /* A lock that its holder locks again. */
static pthread_mutex_t again;
static void *one(void *p) {
  pthread_mutex_lock(&again);
  if (pthread_mutex_trylock(&again) == 0) {
    STORE(x, 1);
    pthread_mutex_unlock(&again);
  }
  pthread_mutex_unlock(&again);
  return p;
}
static void *two(void *p) {
  if (pthread_mutex_trylock(&again) != 0) { STORE(y, 7); return p; }
  STORE(y, 1 + LOAD(x));
  pthread_mutex_unlock(&again);
  return p;
}
#define three one
static void set_up(void) {
  pthread_mutexattr_t type;
  pthread_mutexattr_init(&type);
  pthread_mutexattr_settype(&type, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again, &type);
}
#define BEGIN set_up()
#elif CASE == 9 /* Written plainly where nobody else can see it any more; a store that a fence comes after. */
static atomic_int own;
static void *one(void *p) {
  STORE(x, LOAD(y) + 1);
  atomic_thread_fence(memory_order_release);
  STORE(y, 1);
  return p;
}
static void *two(void *p) { STORE(y, LOAD(x) + 2); return p; }
static void *three(void *p) {
  for (int i = 0; i < 2; i++) {
    atomic_init(&own, i);
    STORE(y, LOAD(own) + 4);
  }
  return p;
}
#define END (*(int *)&x = 3)
#endif

#ifndef END
#define END (void)0
#endif
#ifndef BEGIN
#define BEGIN (void)0
#endif

int main(void) {
  BEGIN;
  void *(*const functions[])(void *) = {one, two, three};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  END;
  return 0;
}
