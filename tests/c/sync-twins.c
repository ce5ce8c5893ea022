/* Programs that tests/wasm-machine/sync-twins.test.ts also has as model programs; CASE chooses. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include "case.h"

static sem_t s;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b;
static pthread_spinlock_t spin;
static pthread_mutex_t m;
static int x, y;
static const struct timespec soon;

static void set_up(void) {
  sem_init(&s, 0, CASE == 1 ? 1 : 0);
  pthread_barrier_init(&b, 0, 2);
  pthread_spin_init(&spin, 0);
  pthread_mutex_init(&m, 0);
}

/* 1: a semaphore as a lock */
static void run_1(int i) {
  (void)i;
  sem_wait(&s);
  x++;
  sem_post(&s);
}

/* 2: two producers, two consumers, one of them impatient */
static void run_2(int i) {
  if (i < 2) sem_post(&s);
  else if (i == 2) sem_wait(&s);
  else if (sem_trywait(&s) == 0) x = 1;
}

/* 3: a timed wait, and the value */
static void run_3(int i) {
  if (i == 0) x = sem_timedwait(&s, &soon) == 0;
  else if (i == 1) sem_post(&s);
  else sem_getvalue(&s, &y);
}

/* 4: two readers, a writer */
static void run_4(int i) {
  if (i < 2) {
    pthread_rwlock_rdlock(&l);
    (void)*(volatile int *)&x;
  } else {
    pthread_rwlock_wrlock(&l);
    x = 1;
  }
  pthread_rwlock_unlock(&l);
}

/* 5: all try */
static void run_5(int i) {
  int failed = i < 2 ? pthread_rwlock_tryrdlock(&l) : pthread_rwlock_trywrlock(&l);
  if (!failed) pthread_rwlock_unlock(&l);
}

/* 6: a barrier of two, three threads */
static void run_6(int i) {
  (void)i;
  pthread_barrier_wait(&b);
}

/* 7: two rounds */
static void run_7(int i) {
  if (i == 0) x = 1;
  pthread_barrier_wait(&b);
  if (i == 1) x = 2;
  pthread_barrier_wait(&b);
  (void)*(volatile int *)&x;
}

/* 8: a spin lock */
static void run_8(int i) {
  (void)i;
  pthread_spin_lock(&spin);
  x++;
  pthread_spin_unlock(&spin);
}

/* 9: one locks, one does not */
static void run_9(int i) {
  if (i == 0) {
    x = 1;
  } else {
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
  }
}

/* 10: a permit that is there from the beginning, and what one does not need it for */
static void run_10(int i) {
  if (i == 0) {
    x = 1;
    sem_post(&s);
  } else {
    sem_wait(&s);
    x = 2;
  }
}

static void run(int i) {
  switch (CASE) {
  case 1: run_1(i); break;
  case 2: run_2(i); break;
  case 3: run_3(i); break;
  case 4: run_4(i); break;
  case 5: run_5(i); break;
  case 6: run_6(i); break;
  case 7: run_7(i); break;
  case 8: run_8(i); break;
  case 9: run_9(i); break;
  case 10: run_10(i); break;
  }
}

static int threads_of(int n) { return n == 2 ? 4 : n == 7 || n == 9 || n == 10 ? 2 : 3; }

static void *start(void *argument) {
  run((int)(long)argument);
  return 0;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t threads[4];
  int count = threads_of(CASE);
  set_up();
  for (long i = 0; i < count; i++) pthread_create(&threads[i], 0, start, (void *)i);
  for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
  return 0;
}
