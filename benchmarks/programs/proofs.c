/* Programs without a bug, of thousands of classes: proofs NAME THREADS ROUNDS. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { most = 8 };
static int threads, rounds;

static void run(void *(*even)(void *), void *(*odd)(void *)) {
  pthread_t t[most];
  for (long i = 0; i < threads; i++) pthread_create(&t[i], NULL, i % 2 ? odd : even, (void *)i);
  for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
}

/* A bounded channel: half of the threads send, the others receive. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int slots[1], used, sum;

static void *sender(void *arg) {
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&lock);
    while (used == 1) pthread_cond_wait(&not_full, &lock);
    slots[used++] = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *receiver(void *arg) {
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&lock);
    while (used == 0) pthread_cond_wait(&not_empty, &lock);
    sum += slots[--used];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void channel(void) {
  run(sender, receiver);
  assert(used == 0 && sum == threads / 2 * rounds);
}

/* A cache behind a readers-writer lock: look it up, and fill it if it is not there. */
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int cached[2], misses;

static void *lookup(void *arg) {
  for (int i = 0; i < rounds; i++) {
    int key = ((int)(long)arg + i) % 2;
    pthread_rwlock_rdlock(&rwlock);
    int value = cached[key];
    pthread_rwlock_unlock(&rwlock);
    if (value == 0) {
      pthread_rwlock_wrlock(&rwlock);
      if (cached[key] == 0) {
        cached[key] = key + 1;
        misses++;
      }
      pthread_rwlock_unlock(&rwlock);
    }
  }
  return arg;
}

static void cache(void) {
  run(lookup, lookup);
  assert(misses <= 2);
}

/* Michael and Scott's queue. */
typedef struct node {
  int value;
  _Atomic(struct node *) next;
} node;
static _Atomic(node *) head, tail;
static atomic_int taken;

static node *new_node(int value) {
  node *n = malloc(sizeof *n);
  n->value = value;
  atomic_init(&n->next, NULL);
  return n;
}

static void *enqueue(void *arg) {
  for (int i = 0; i < rounds; i++) {
    node *n = new_node(1);
    for (;;) {
      node *t = tail, *next = t->next, *none = NULL;
      if (next != NULL) atomic_compare_exchange_strong(&tail, &t, next);
      else if (atomic_compare_exchange_strong(&t->next, &none, n)) {
        atomic_compare_exchange_strong(&tail, &t, n);
        break;
      }
    }
  }
  return arg;
}

static void *dequeue(void *arg) {
  for (int i = 0; i < rounds; i++) {
    for (;;) {
      node *h = head, *t = tail, *next = h->next;
      if (next == NULL) break;
      if (h == t) atomic_compare_exchange_strong(&tail, &t, next);
      else if (atomic_compare_exchange_strong(&head, &h, next)) {
        taken += next->value;
        break;
      }
    }
  }
  return arg;
}

static void msqueue(void) {
  head = tail = new_node(0);
  run(enqueue, dequeue);
  for (node *n = ((node *)head)->next; n != NULL; n = n->next) taken += n->value;
  assert(taken == (threads + 1) / 2 * rounds);
}

/* A stack with compare-exchange. */
static _Atomic(node *) top;

static void *push(void *arg) {
  for (int i = 0; i < rounds; i++) {
    node *n = new_node(1), *old = top;
    do n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
  }
  return arg;
}

static void *pop(void *arg) {
  for (int i = 0; i < rounds; i++) {
    node *old = top;
    while (old != NULL && !atomic_compare_exchange_strong(&top, &old, old->next)) {}
    if (old != NULL) taken += old->value;
  }
  return arg;
}

static void stack(void) {
  run(push, pop);
  for (node *n = top; n != NULL; n = n->next) taken += n->value;
  assert(taken == (threads + 1) / 2 * rounds);
}

/* A lock of tickets. */
static atomic_int next_ticket, serving;
static int counter;

static void *with_ticket(void *arg) {
  for (int i = 0; i < rounds; i++) {
    int mine = atomic_fetch_add(&next_ticket, 1);
    while (serving != mine) {}
    counter++;
    serving++;
  }
  return arg;
}

static void ticket(void) {
  run(with_ticket, with_ticket);
  assert(counter == threads * rounds);
}

/* Accounts with a lock each, always taken in the same order. */
static pthread_mutex_t account_locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                           PTHREAD_MUTEX_INITIALIZER};
static int accounts[3] = {10, 10, 10};

static void *transfer(void *arg) {
  for (int i = 0; i < rounds; i++) {
    int a = (int)(long)arg % 3, b = (a + 1 + i % 2) % 3, low = a < b ? a : b, high = a < b ? b : a;
    pthread_mutex_lock(&account_locks[low]);
    pthread_mutex_lock(&account_locks[high]);
    accounts[a]--;
    accounts[b]++;
    pthread_mutex_unlock(&account_locks[high]);
    pthread_mutex_unlock(&account_locks[low]);
  }
  return arg;
}

static void bank(void) {
  run(transfer, transfer);
  assert(accounts[0] + accounts[1] + accounts[2] == 30);
}

/* A pool of two permits. */
static sem_t permits;
static atomic_int inside;

static void *enter(void *arg) {
  for (int i = 0; i < rounds; i++) {
    sem_wait(&permits);
    assert(atomic_fetch_add(&inside, 1) < 2);
    atomic_fetch_sub(&inside, 1);
    sem_post(&permits);
  }
  return arg;
}

static void pool(void) {
  sem_init(&permits, 0, 2);
  run(enter, enter);
}

/* Two cells that a writer changes together, and readers that notice if they were between. */
static atomic_uint version;
static atomic_int left, right;

static void *write_both(void *arg) {
  for (int i = 0; i < rounds; i++) {
    unsigned v = version;
    if (v % 2 == 1 || !atomic_compare_exchange_strong(&version, &v, v + 1)) continue;
    left++;
    right++;
    version++;
  }
  return arg;
}

static void *read_both(void *arg) {
  unsigned before = version;
  int a = left, b = right;
  if (before % 2 == 0 && before == version) assert(a == b);
  return arg;
}

static void seqlock(void) { run(write_both, read_both); }

/* Counters that nobody guards, and nobody relies on. */
static int hits, last;

static void *visit(void *arg) {
  for (int i = 0; i < rounds; i++) {
    hits++;
    last = (int)(long)arg;
  }
  return arg;
}

static void racy(void) {
  run(visit, visit);
  assert(hits >= 1 && hits <= threads * rounds && last < threads);
}

/* Work on data of one's own between short critical sections. */
static int work[most][16];

static void *mostly_alone(void *arg) {
  int *mine = work[(long)arg];
  for (int i = 0; i < rounds; i++) {
    for (int k = 1; k < 16; k++) mine[k] = mine[k - 1] + k;
    pthread_mutex_lock(&lock);
    sum += mine[15];
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void crunch(void) {
  run(mostly_alone, mostly_alone);
  assert(sum == 120 * threads * rounds);
}

static const struct {
  const char *name;
  void (*run)(void);
} programs[] = {{"channel", channel}, {"cache", cache},     {"msqueue", msqueue}, {"stack", stack},
                {"ticket", ticket},   {"bank", bank},       {"pool", pool},       {"seqlock", seqlock},
                {"racy", racy},       {"crunch", crunch}};

int main(int argc, char **argv) {
  assert(argc == 4);
  threads = atoi(argv[2]);
  rounds = atoi(argv[3]);
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    if (strcmp(programs[i].name, argv[1]) == 0) {
      programs[i].run();
      return 0;
    }
  }
  assert(!"there is such a program");
}
