/* Two threads and all kinds of preemption points; prints what each saw. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int step, before, between;
static atomic_int gauge;

static void advance(void) { step++; /* advance */ }

static void twice(void) {
  pthread_mutex_lock(&mutex);
  advance();
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  advance();
  pthread_mutex_unlock(&mutex);
}

static void *worker(void *argument) {
  atomic_store(&gauge, 1);
  twice();
  atomic_store(&gauge, 2);
  return argument;
}

static void observe(void) {
  int seen = step; /* observe */
  if (seen == 1) between = 1;
  if (seen == 0) before = 1;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  observe();
  int value = atomic_load(&gauge);
  pthread_join(thread, 0);
  printf("%s%s%d", before ? "before " : "", between ? "between " : "", value);
  return 0;
}
