/* A broadcast wakes all who wait, also if the mutex is not held at that time. */
#include <assert.h>
#include <cond.h>
#include <mutex.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static mutex_t mutex;
static cond_t cond;
static int is_ready;

static void wait_until_ready(void) {
  mutex_lock(&mutex);
  while (!is_ready) cond_wait(&cond, &mutex);
  mutex_unlock(&mutex);
  vanish();
}

static void *second(void *unused) {
  wait_until_ready();
  return unused;
}

static void *first(void *unused) {
  thr_create(second, 0);
  wait_until_ready();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  mutex_init(&mutex);
  cond_init(&cond);
  thr_create(first, 0);
  mutex_lock(&mutex);
  is_ready = 1;
  mutex_unlock(&mutex);
  cond_broadcast(&cond);
  vanish();
}
