/* Programs that tests/wasm-machine/twins.test.ts also has as model programs; CASE chooses. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include "case.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y;
static volatile int flag, data;
static atomic_int a;
static const struct timespec soon;

/* 1: two wait, one signals once */
static void run_1(int i) {
  pthread_mutex_lock(&m);
  if (i < 2) {
    pthread_cond_wait(&c, &m);
    x++;
  } else {
    pthread_cond_signal(&c);
  }
  pthread_mutex_unlock(&m);
}

/* 2: a timed wait beside a signal */
static void run_2(int i) {
  pthread_mutex_lock(&m);
  if (i == 0) x = pthread_cond_timedwait(&c, &m, &soon) == 0;
  else pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
}

/* 3: both try */
static void run_3(int i) {
  if (pthread_mutex_trylock(&m) == 0) {
    x = i;
    pthread_mutex_unlock(&m);
  } else {
    y = i;
  }
}

/* 4: a flag */
static void run_4(int i) {
  if (i == 0) {
    while (!flag) {}
    x = data;
  } else {
    data = 1;
    flag = 1;
  }
}

/* 5: a spin lock that yields */
static void run_5(int i) {
  (void)i;
  while (atomic_exchange(&a, 1) != 0) sched_yield();
  x++;
  atomic_store(&a, 0);
}

/* 6: compare-exchange, once each */
static void run_6(int i) {
  int expected = i;
  atomic_compare_exchange_strong(&a, &expected, i + 1);
}

/* 7: broadcast */
static void run_7(int i) {
  pthread_mutex_lock(&m);
  if (i < 2) {
    while (!x) pthread_cond_wait(&c, &m);
  } else {
    x = 1;
    pthread_cond_broadcast(&c);
  }
  pthread_mutex_unlock(&m);
}

/* 8: two reads in each round of a spin */
static void run_8(int i) {
  if (i == 0) {
    while (!flag || !data) {}
  } else if (i == 1) {
    flag = 1;
  } else {
    data = 1;
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
  }
}

static int threads_of(int n) { return n == 2 || n == 3 || n == 4 || n == 5 ? 2 : 3; }

static void *start(void *argument) {
  run((int)(long)argument);
  return 0;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t threads[4];
  int count = threads_of(CASE);
  for (long i = 0; i < count; i++) pthread_create(&threads[i], 0, start, (void *)i);
  for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
  return 0;
}
