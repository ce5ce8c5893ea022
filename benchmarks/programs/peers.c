/* Shapes of programs that model checkers are compared on: peers NAME SIZE. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { most = 32 };
static int size;
static atomic_int cells[most + 1];
static atomic_int x, y;
static pthread_mutex_t locks[most] = {[0 ... most - 1] = PTHREAD_MUTEX_INITIALIZER};

static void run(int threads, void *(*body)(void *)) {
  pthread_t t[most];
  for (long i = 0; i < threads; i++) pthread_create(&t[i], NULL, body, (void *)i);
  for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
}

/* Two threads, each a chain of stores to one cell and loads of the other. */
static void *chain(void *arg) {
  atomic_int *mine = arg ? &x : &y, *other = arg ? &y : &x;
  for (int i = 1; i <= size; i++) {
    atomic_store(mine, i);
    (void)atomic_load(other);
  }
  return NULL;
}

/* Threads that take two of three locks, the lower one first. */
static void *taker(void *arg) {
  int i = (int)(long)arg % 3, j = (i + 1) % 3;
  pthread_mutex_t *low = &locks[i < j ? i : j], *high = &locks[i < j ? j : i];
  pthread_mutex_lock(low);
  pthread_mutex_lock(high);
  pthread_mutex_unlock(high);
  pthread_mutex_unlock(low);
  return NULL;
}

/* Philosophers round a table; the last one takes his forks the other way round. */
static void *philosopher(void *arg) {
  int i = (int)(long)arg, last = i == size - 1;
  pthread_mutex_t *first = &locks[last ? 0 : i], *second = &locks[last ? i : i + 1];
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return NULL;
}

/* Each thread reads one cell and writes the next. */
static void *relay(void *arg) {
  int i = (int)(long)arg;
  (void)atomic_load(&cells[i]);
  atomic_store(&cells[i + 1], 1);
  return NULL;
}

/* Each thread stores to two cells. */
static void *storer(void *arg) {
  atomic_store(&x, (int)(long)arg + 1);
  atomic_store(&y, (int)(long)arg + 1);
  return NULL;
}

/* Readers of two cells, a writer and a thread that adds to both. */
static void *mixed(void *arg) {
  int i = (int)(long)arg;
  if (i == 0) {
    atomic_store(&x, 1);
    atomic_store(&y, 1);
  } else if (i == 1) {
    atomic_fetch_add(&x, 2);
    atomic_fetch_add(&y, 2);
  } else {
    (void)atomic_load(&x);
    (void)atomic_load(&y);
  }
  return NULL;
}

/* A tree of threads, each of which creates two more and adds to one cell. */
static void *node(void *arg) {
  int i = (int)(long)arg;
  pthread_t t[2];
  for (int k = 0; k < 2; k++)
    if (2 * i + k + 1 < size) pthread_create(&t[k], NULL, node, (void *)(long)(2 * i + k + 1));
  atomic_fetch_add(&x, i + 1);
  for (int k = 0; k < 2; k++)
    if (2 * i + k + 1 < size) pthread_join(t[k], NULL);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const char *name = argv[1];
  size = atoi(argv[2]);
  if (size < 1 || size > most) return 2;
  if (!strcmp(name, "chains")) run(2, chain);
  else if (!strcmp(name, "locks")) run(size, taker);
  else if (!strcmp(name, "philosophers")) run(size, philosopher);
  else if (!strcmp(name, "relay")) run(size, relay);
  else if (!strcmp(name, "stores")) run(size, storer);
  else if (!strcmp(name, "mixed")) run(size, mixed);
  else if (!strcmp(name, "tree")) node((void *)0);
  else return 2;
  return 0;
}
