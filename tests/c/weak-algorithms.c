/*
 * Algorithms whose correctness rests on memory orders. The first argument names one, the second is the number of the order
 * that is weakened to relaxed (0: none). Numbers stand beside the orders; tests/memory/algorithms.test.ts knows them.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#undef no_sanitize
#define UNSEEN __attribute__((no_sanitize("thread"), noinline))

static int weakened;

UNSEEN static int order(int number, int usual) { return number == weakened ? memory_order_relaxed : usual; }
/* The weaker fence that people take for enough where a sequentially consistent one is needed. */
UNSEEN static int full(int number) {
  return number == weakened ? memory_order_acq_rel : memory_order_seq_cst;
}

#define ACQUIRE(n) order(n, memory_order_acquire)
#define RELEASE(n) order(n, memory_order_release)
#define RELAXED memory_order_relaxed

#define LOAD(p, o) atomic_load_explicit(p, o)
#define STORE(p, v, o) atomic_store_explicit(p, v, o)

static int counter;

/* --- a spinlock --- */

static atomic_int held;

static void *spinlock(void *argument) {
  while (atomic_exchange_explicit(&held, 1, ACQUIRE(1))) {
  }
  counter++;
  STORE(&held, 0, RELEASE(2));
  return argument;
}

/* --- the lock of Mellor-Crummey and Scott --- */

struct waiter {
  _Atomic(struct waiter *) next;
  atomic_int waits;
};
static _Atomic(struct waiter *) tail;
static struct waiter waiters[2];

static void *mcs(void *argument) {
  struct waiter *me = &waiters[(size_t)argument];
  STORE(&me->next, NULL, RELAXED);
  STORE(&me->waits, 1, RELAXED);
  struct waiter *before = atomic_exchange_explicit(&tail, me, order(1, memory_order_acq_rel));
  if (before) {
    STORE(&before->next, me, RELEASE(5));
    while (LOAD(&me->waits, ACQUIRE(2))) {
    }
  }
  counter++;
  struct waiter *next = LOAD(&me->next, ACQUIRE(6));
  if (!next) {
    struct waiter *expected = me;
    int last = weakened == 4
                   ? atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, RELAXED, RELAXED)
                   : atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release, RELAXED);
    if (last) return NULL;
    while (!(next = LOAD(&me->next, ACQUIRE(6)))) {
    }
  }
  STORE(&next->waits, 0, RELEASE(3));
  return NULL;
}

/* --- Treiber's stack: one thread pushes, the other pops --- */

struct node {
  struct node *next;
  int value;
};
static _Atomic(struct node *) top;
static struct node nodes[2];

static void *push(void *argument) {
  for (int i = 0; i < 2; i++) {
    struct node *node = &nodes[i];
    node->value = 5 + i;
    struct node *old = LOAD(&top, RELAXED);
    do {
      node->next = old;
    } while (!(weakened == 1
                   ? atomic_compare_exchange_strong_explicit(&top, &old, node, RELAXED, RELAXED)
                   : atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_release, RELAXED)));
  }
  return argument;
}

static void *pop(void *argument) {
  struct node *old = LOAD(&top, ACQUIRE(2));
  while (old) {
    if (weakened == 2
            ? atomic_compare_exchange_strong_explicit(&top, &old, old->next, RELAXED, RELAXED)
            : atomic_compare_exchange_strong_explicit(&top, &old, old->next, memory_order_acquire,
                                                      memory_order_acquire)) {
      assert(old->value == 5 || old->value == 6);
      break;
    }
  }
  return argument;
}

/* --- the queue of Michael and Scott: one thread enqueues, the other dequeues --- */

struct item {
  _Atomic(struct item *) next;
  int value;
};
static struct item items[3];
static _Atomic(struct item *) first = &items[0], last = &items[0];

static int replace(_Atomic(struct item *) * at, struct item *old, struct item *new, int number) {
  return number == weakened
             ? atomic_compare_exchange_strong_explicit(at, &old, new, RELAXED, RELAXED)
             : atomic_compare_exchange_strong_explicit(at, &old, new, memory_order_release, RELAXED);
}

static void *enqueue(void *argument) {
  struct item *item = &items[1];
  item->value = 7;
  STORE(&item->next, NULL, RELAXED);
  for (;;) {
    struct item *end = LOAD(&last, ACQUIRE(3));
    struct item *next = LOAD(&end->next, ACQUIRE(4));
    if (next) {
      replace(&last, end, next, 5);
    } else if (replace(&end->next, NULL, item, 1)) {
      replace(&last, end, item, 5);
      return argument;
    }
  }
}

static void *dequeue(void *argument) {
  for (;;) {
    struct item *begin = LOAD(&first, ACQUIRE(6));
    struct item *end = LOAD(&last, ACQUIRE(7));
    struct item *next = LOAD(&begin->next, ACQUIRE(2));
    if (begin == end) {
      if (!next) return argument;
      replace(&last, end, next, 8);
    } else if (next) {
      int value = next->value;
      if (replace(&first, begin, next, 9)) {
        assert(value == 7);
        return argument;
      }
    }
  }
}

/* --- the deque of Chase and Lev, with the fences of Lê, Pop, Cohen, Zappa Nardelli (PPoPP 2013) --- */

static atomic_int bottom, up, jobs[2];
static int taken[2];

static void take_job(int job) {
  assert(job == 1 || job == 2);
  assert(!taken[job - 1]);
  taken[job - 1] = 1;
}

static int take(void) {
  int b = LOAD(&bottom, RELAXED) - 1;
  STORE(&bottom, b, RELAXED);
  atomic_thread_fence(full(1));
  int t = LOAD(&up, RELAXED);
  if (t > b) {
    STORE(&bottom, b + 1, RELAXED);
    return 0;
  }
  int job = LOAD(&jobs[b], RELAXED);
  if (t == b) {
    if (!atomic_compare_exchange_strong_explicit(&up, &t, t + 1, memory_order_seq_cst, RELAXED)) job = 0;
    STORE(&bottom, b + 1, RELAXED);
  }
  return job;
}

static void *own(void *argument) {
  STORE(&jobs[0], 1, RELAXED);
  atomic_thread_fence(RELEASE(2));
  STORE(&bottom, 1, RELAXED);
  STORE(&jobs[1], 2, RELAXED);
  atomic_thread_fence(RELEASE(2));
  STORE(&bottom, 2, RELAXED);
  return (void *)(size_t)(take() + 4 * take());
}

static int steal_one(void) {
  int job = 0;
  int t = LOAD(&up, ACQUIRE(3));
  atomic_thread_fence(full(4));
  int b = LOAD(&bottom, ACQUIRE(5));
  if (t < b) {
    job = LOAD(&jobs[t], RELAXED);
    if (!atomic_compare_exchange_strong_explicit(&up, &t, t + 1, memory_order_seq_cst, RELAXED)) job = 0;
    else assert(job != 0);
  }
  return job;
}

static void *steal(void *argument) {
  int job = steal_one();
  return (void *)(size_t)(job + 4 * steal_one());
}

static void all_taken(void *owned, void *stolen) {
  size_t all = (size_t)owned + 16 * (size_t)stolen;
  for (; all; all >>= 2)
    if (all & 3) take_job(all & 3);
}

/* --- a sequence lock, with the fences of Boehm (MSPC 2012) --- */

static atomic_int sequence, left, right;

static void *write_both(void *argument) {
  STORE(&sequence, 1, RELAXED);
  atomic_thread_fence(RELEASE(1));
  STORE(&left, 1, RELAXED);
  STORE(&right, 1, RELAXED);
  STORE(&sequence, 2, RELEASE(2));
  return argument;
}

static void *read_both(void *argument) {
  int before = LOAD(&sequence, ACQUIRE(3));
  int l = LOAD(&left, RELAXED);
  int r = LOAD(&right, RELAXED);
  atomic_thread_fence(ACQUIRE(4));
  int after = LOAD(&sequence, RELAXED);
  if (before == after && before % 2 == 0) assert(l == r);
  return argument;
}

/* --- a ring buffer with one producer and one consumer --- */

static int slots[1];
static atomic_int produced, consumed;

static void *produce(void *argument) {
  for (int i = 0; i < 2; i++) {
    while (i - LOAD(&consumed, ACQUIRE(1)) == 1) {
    }
    slots[0] = i + 1;
    STORE(&produced, i + 1, RELEASE(2));
  }
  return argument;
}

static void *consume(void *argument) {
  for (int i = 0; i < 2; i++) {
    while (LOAD(&produced, ACQUIRE(3)) == i) {
    }
    assert(slots[0] == i + 1);
    STORE(&consumed, i + 1, RELEASE(4));
  }
  return argument;
}

/* --- read-copy-update in small: the old version is overwritten once no reader uses it --- */

static struct node versions[2] = {{NULL, 1}, {NULL, 1}};
static _Atomic(struct node *) current = &versions[0];
static atomic_int reading;

static void *read_version(void *argument) {
  STORE(&reading, 1, RELAXED);
  atomic_thread_fence(full(1));
  assert(LOAD(&current, ACQUIRE(2))->value == 1);
  STORE(&reading, 0, RELEASE(3));
  return argument;
}

static void *update(void *argument) {
  versions[1].value = 1;
  STORE(&current, &versions[1], RELEASE(4));
  atomic_thread_fence(full(5));
  while (LOAD(&reading, ACQUIRE(6))) {
  }
  versions[0].value = 0;
  return argument;
}

/* --- hazard pointers: the old object is overwritten unless somebody says that he uses it --- */

static _Atomic(struct node *) hazard;

static void *use(void *argument) {
  struct node *node = LOAD(&current, RELAXED);
  STORE(&hazard, node, RELAXED);
  atomic_thread_fence(full(1));
  if (LOAD(&current, ACQUIRE(2)) == node) assert(node->value == 1);
  STORE(&hazard, NULL, RELEASE(3));
  return argument;
}

static void *retire(void *argument) {
  STORE(&current, &versions[1], memory_order_release);
  atomic_thread_fence(full(4));
  if (LOAD(&hazard, ACQUIRE(5)) != &versions[0]) versions[0].value = 0;
  return argument;
}

/* --- mutual exclusion by loads and stores; with fences (order 0) or without (1) --- */

static atomic_int flags[2], turn;

UNSEEN static int is_fenced(void) { return weakened == 0; }
static void fence(void) {
  if (is_fenced()) atomic_thread_fence(memory_order_seq_cst);
}

static void *peterson(void *argument) {
  int me = (int)(size_t)argument;
  STORE(&flags[me], 1, RELAXED);
  STORE(&turn, 1 - me, RELAXED);
  fence();
  while (LOAD(&flags[1 - me], RELAXED) && LOAD(&turn, RELAXED) == 1 - me) {
  }
  counter++;
  fence();
  STORE(&flags[me], 0, RELAXED);
  return NULL;
}

static void *dekker(void *argument) {
  int me = (int)(size_t)argument;
  STORE(&flags[me], 1, RELAXED);
  fence();
  while (LOAD(&flags[1 - me], RELAXED)) {
    if (LOAD(&turn, RELAXED) != me) {
      STORE(&flags[me], 0, RELAXED);
      while (LOAD(&turn, RELAXED) != me) {
      }
      STORE(&flags[me], 1, RELAXED);
      fence();
    }
  }
  counter++;
  STORE(&turn, 1 - me, RELAXED);
  fence();
  STORE(&flags[me], 0, RELAXED);
  return NULL;
}

/* Lamport's bakery, numbers drawn once. */
static atomic_int choosing[2], number[2];

static void *lamport(void *argument) {
  int me = (int)(size_t)argument;
  STORE(&choosing[me], 1, RELAXED);
  fence();
  STORE(&number[me], 1 + LOAD(&number[1 - me], RELAXED), RELAXED);
  STORE(&choosing[me], 0, RELAXED);
  fence();
  while (LOAD(&choosing[1 - me], RELAXED)) {
  }
  for (;;) {
    int other = LOAD(&number[1 - me], RELAXED), mine = LOAD(&number[me], RELAXED);
    if (other == 0 || mine < other || (mine == other && me == 0)) break;
  }
  counter++;
  fence();
  STORE(&number[me], 0, RELAXED);
  return NULL;
}

static void *szymanski(void *argument) {
  int me = (int)(size_t)argument;
  STORE(&flags[me], 1, RELAXED);
  fence();
  while (LOAD(&flags[1 - me], RELAXED) >= 3) {
  }
  STORE(&flags[me], 3, RELAXED);
  fence();
  if (LOAD(&flags[1 - me], RELAXED) == 1) {
    STORE(&flags[me], 2, RELAXED);
    fence();
    while (LOAD(&flags[1 - me], RELAXED) != 4) {
    }
  }
  STORE(&flags[me], 4, RELAXED);
  fence();
  if (me == 1)
    while (LOAD(&flags[0], RELAXED) >= 2) {
    }
  counter++;
  fence();
  if (me == 0)
    for (;;) {
      int other = LOAD(&flags[1], RELAXED);
      if (other != 2 && other != 3) break;
    }
  STORE(&flags[me], 0, RELAXED);
  return NULL;
}

static void counted(void *a, void *b) { assert(counter == 2); }
static void nothing(void *a, void *b) {}

static const struct algorithm {
  const char *name;
  void *(*one)(void *);
  void *(*two)(void *);
  void (*check)(void *, void *);
} algorithms[] = {
    {"spinlock", spinlock, spinlock, counted},
    {"mcs", mcs, mcs, counted},
    {"treiber", push, pop, nothing},
    {"queue", enqueue, dequeue, nothing},
    {"deque", own, steal, all_taken},
    {"seqlock", write_both, read_both, nothing},
    {"ring", produce, consume, nothing},
    {"rcu", read_version, update, nothing},
    {"hazard", use, retire, nothing},
    {"peterson", peterson, peterson, counted},
    {"dekker", dekker, dekker, counted},
    {"lamport", lamport, lamport, counted},
    {"szymanski", szymanski, szymanski, counted},
};

UNSEEN int main(int argc, char **argv) {
  weakened = argc > 2 ? atoi(argv[2]) : 0;
  for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
    const struct algorithm *a = &algorithms[i];
    if (argc < 2 || strcmp(a->name, argv[1])) continue;
    pthread_t threads[2];
    void *results[2];
    pthread_create(&threads[0], 0, a->one, (void *)0);
    pthread_create(&threads[1], 0, a->two, (void *)1);
    pthread_join(threads[0], &results[0]);
    pthread_join(threads[1], &results[1]);
    a->check(results[0], results[1]);
    return 0;
  }
  return 2;
}
