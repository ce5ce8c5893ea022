/* A broadcast wakes all who wait, also if the mutex is not held at that time. */
#include <assert.h>
#include <cond.h>
#include <mutex.h>
#include <thread.h>

#define STACK_SIZE 1024

static mutex_t mutex;
static cond_t cond;
static int is_ready;

static void *waiter(void *unused) {
  mutex_lock(&mutex);
  while (!is_ready) cond_wait(&cond, &mutex);
  mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  mutex_init(&mutex);
  cond_init(&cond);
  int a = thr_create(waiter, 0);
  int b = thr_create(waiter, 0);
  mutex_lock(&mutex);
  is_ready = 1;
  mutex_unlock(&mutex);
  cond_broadcast(&cond);
  thr_join(a, 0);
  thr_join(b, 0);
  return 0;
}
