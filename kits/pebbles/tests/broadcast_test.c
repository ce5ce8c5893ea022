/* A broadcast wakes the one thread that waits. */
#include <assert.h>
#include <cond.h>
#include <mutex.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static mutex_t mutex;
static cond_t cond;
static int is_ready;

static void *waiter(void *unused) {
  mutex_lock(&mutex);
  while (!is_ready) cond_wait(&cond, &mutex);
  mutex_unlock(&mutex);
  vanish();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  mutex_init(&mutex);
  cond_init(&cond);
  thr_create(waiter, 0);
  mutex_lock(&mutex);
  is_ready = 1;
  cond_broadcast(&cond);
  mutex_unlock(&mutex);
  vanish();
}
