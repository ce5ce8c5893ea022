/* Programs that some strategy judged wrongly once; the argument says which. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t b;
static sem_t s;
static volatile int x;
static atomic_int v;

/* 1: two readers meet inside their read sections. */
static void *meet(void *unused) {
  pthread_rwlock_rdlock(&rw);
  int r = x;
  pthread_barrier_wait(&b);
  pthread_rwlock_unlock(&rw);
  assert(r == 0);
  return unused;
}
static void *change(void *unused) {
  pthread_rwlock_wrlock(&rw);
  x = 1;
  pthread_rwlock_unlock(&rw);
  return unused;
}

/* 2: the writer may still wait when the program ends. */
static void *keepReading(void *unused) {
  pthread_rwlock_rdlock(&rw);
  return unused;
}
static void *write(void *unused) {
  pthread_rwlock_wrlock(&rw);
  assert(!"reached");
  return unused;
}

/* 3: a lock is waited for where only sleepers are left. */
static void *post(void *unused) {
  sem_post(&s);
  return unused;
}
static void *look(void *unused) {
  int q, r;
  pthread_mutex_lock(&m);
  sem_getvalue(&s, &q);
  r = x;
  pthread_mutex_unlock(&m);
  assert(!(r == 1 && q == 0));
  return unused;
}
static void *setTwice(void *unused) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  sem_wait(&s);
  x = 2;
  pthread_mutex_unlock(&m);
  return unused;
}

/* 4: main returns while threads that conflict go on. */
static void *add(void *unused) {
  x++;
  return unused;
}

/* 5: updates that often change nothing. */
static int swap(int expected, int desired) {
  atomic_compare_exchange_strong(&v, &expected, desired);
  return expected;
}
static void *updates1(void *unused) {
  atomic_exchange(&v, 2);
  swap(2, 1);
  return unused;
}
static void *updates2(void *unused) {
  if (swap(0, 0) == 0) atomic_exchange(&v, 0);
  else atomic_fetch_or(&v, 2);
  return unused;
}
static void *updates3(void *unused) {
  if (swap(2, 2) == 1) atomic_store(&v, 1);
  else swap(2, 2);
  return unused;
}
static void *updates4(void *unused) {
  atomic_store(&v, 2);
  pthread_rwlock_wrlock(&rw);
  swap(2, 1);
  pthread_rwlock_unlock(&rw);
  return unused;
}

static void runAll(int n, void *(*const bodies[])(void *), int joined) {
  pthread_t threads[4];
  for (int i = 0; i < n; i++) pthread_create(&threads[i], 0, bodies[i], 0);
  for (int i = 0; i < joined; i++) pthread_join(threads[i], 0);
}

/* 6: how large a block is that another thread writes to depends on a third one. */
static _Atomic(char *) block;
static void *allocate(void *unused) {
  char *p = malloc(atomic_load(&v) ? 4 : 8);
  atomic_store(&block, p);
  return unused;
}
static void *writeFifth(void *unused) {
  char *p = atomic_load(&block);
  if (p) p[4] = 1;
  return unused;
}
static void *freeIt(void *unused) {
  free(atomic_exchange(&block, NULL));
  return unused;
}
static void *ask(void *unused) {
  atomic_store(&v, 1);
  return unused;
}

int main(int argc, char **argv) {
  void *(*const cases[][4])(void *) = {
      {meet, meet, change},
      {keepReading, keepReading, write},
      {post, look, setTwice},
      {add, add, add, add},
      {updates1, updates2, updates3, updates4},
      {allocate, writeFifth, ask},
      {allocate, freeIt, ask},
  };
  const int threads[] = {3, 3, 3, 4, 4, 3, 3};
  const int joined[] = {3, 2, 3, 0, 4, 3, 3};
  int i = argc > 1 ? atoi(argv[1]) - 1 : 0;
  /* What follows these is not done from memory, which is what the others are about. */
  if (i < 5) {
    pthread_barrier_init(&b, 0, 2);
    sem_init(&s, 0, 0);
  }
  runAll(threads[i], cases[i], joined[i]);
  return 0;
}
