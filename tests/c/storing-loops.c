/* Loops that wait for another thread and store something in every round; the argument chooses. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag, taken, lock, wants[2], rounds[2];
static int data, counter, backoffs;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct { int cached; } queue;
static struct node { atomic_int full; struct node *next; } ring[3];
static atomic_int f[2];

static void *set_flag(void *unused) {
  flag = 1;
  return unused;
}

/* 0: counts its rounds, in a variable of its own; fails after two of them. */
static void *counts(void *unused) {
  int n = 0;
  while (!flag) n++;
  assert(n != 2);
  return unused;
}

/* 1: the same where others could see it. */
static void *counts_in_memory(void *unused) {
  while (!flag) counter++;
  assert(counter != 2);
  return unused;
}

/* 2: tries a mutex and counts. */
static void *holds(void *unused) {
  pthread_mutex_lock(&mutex);
  data = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void *tries(void *unused) {
  int n = 0;
  while (pthread_mutex_trylock(&mutex)) n++;
  pthread_mutex_unlock(&mutex);
  assert(n != 2);
  return unused;
}

/* 3: looks here and there by turns. */
static void *sets_second(void *unused) {
  data = 1;
  f[1] = 1;
  data = 2;
  return unused;
}
static void *alternates(void *unused) {
  int s = 0;
  while (!f[s]) s = 1 - s;
  assert(data == 2);
  return unused;
}

/* 4: walks round a ring. */
static void *fills(void *unused) {
  data = 1;
  ring[2].full = 1;
  data = 2;
  return unused;
}
static void *walks(void *unused) {
  struct node *at = ring;
  while (!at->full) at = at->next;
  assert(data == 2);
  return unused;
}

/* 5: a lock that counts how often it had to wait. */
static void *backs_off(void *unused) {
  while (atomic_exchange(&lock, 1)) backoffs++;
  assert(backoffs != 2);
  counter++;
  atomic_store(&lock, 0);
  return unused;
}

/* 6: philosophers who put the first fork back when they do not get the second. */
static void *dines(void *which) {
  int me = which != 0, given_back = 0;
  for (;;) {
    pthread_mutex_lock(&forks[me]);
    if (pthread_mutex_trylock(&forks[1 - me]) == 0) break;
    pthread_mutex_unlock(&forks[me]);
    given_back++;
  }
  assert(given_back != 2);
  counter++;
  pthread_mutex_unlock(&forks[0]);
  pthread_mutex_unlock(&forks[1]);
  return 0;
}

/* 7: flags taken down while the other's is up; the critical sections of both meet after two rounds of politeness. */
static void *polite(void *which) {
  int me = which != 0, given_way = 0;
  wants[me] = 1;
  while (wants[1 - me]) {
    wants[me] = 0;
    sched_yield();
    wants[me] = 1;
    given_way++;
  }
  assert(given_way != 2);
  wants[me] = 0;
  return 0;
}

/* 8: keeps a copy of what it reads. */
static void *takes(void *unused) {
  data = 1;
  taken = 1;
  data = 2;
  return unused;
}
static void *caches(void *unused) {
  while (queue.cached != 1) queue.cached = taken;
  assert(data == 2);
  return unused;
}

/* 9: as 8, and right. */
static void *takes_last(void *unused) {
  data = 2;
  taken = 1;
  return unused;
}

/* 10: both give way to each other, for ever if they do so by turns: neither counts, and neither goes first. */
static void *gives_way(void *which) {
  int me = which != 0;
  wants[me] = 1;
  while (wants[1 - me]) {
    wants[me] = 0;
    wants[me] = 1;
  }
  wants[me] = 0;
  return 0;
}

/* 11: counts for ever. */
static void *counts_for_ever(void *which) {
  int me = which != 0;
  while (!flag) rounds[me]++;
  return 0;
}

/* 12: works for long, whoever else could run. */
static int cells[200];
static void *works(void *unused) {
  for (int i = 0; i < 200; i++) cells[i] = i + 1;
  return unused;
}

static void *(*const pairs[][2])(void *) = {
    {counts, set_flag},       {counts_in_memory, set_flag}, {tries, holds},          {alternates, sets_second},
    {walks, fills},           {backs_off, backs_off},       {dines, dines},          {polite, polite},
    {caches, takes},          {caches, takes_last},         {gives_way, gives_way},  {counts_for_ever, counts_for_ever},
    {works, set_flag},
};

int main(int argc, char **argv) {
  int chosen = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < 3; i++) ring[i].next = &ring[(i + 1) % 3];
  pthread_t a, b;
  pthread_create(&a, 0, pairs[chosen][0], 0);
  pthread_create(&b, 0, pairs[chosen][1], (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
