/*
 * A thread waits on one condition variable and then on another. What wakes it from the first wait must not end the second
 * one as well.
 */
#include <assert.h>
#include <cond.h>
#include <mutex.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static mutex_t mutex;
static cond_t first, second;
static int is_first, is_second;

static void *waiter(void *unused) {
  mutex_lock(&mutex);
  if (!is_first) cond_wait(&first, &mutex);
  assert(is_first && "woken from the first wait too early");
  if (!is_second) cond_wait(&second, &mutex);
  assert(is_second && "woken from the second wait too early");
  mutex_unlock(&mutex);
  vanish();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  mutex_init(&mutex);
  cond_init(&first);
  cond_init(&second);
  thr_create(waiter, 0);
  mutex_lock(&mutex);
  is_first = 1;
  mutex_unlock(&mutex);
  cond_signal(&first);
  mutex_lock(&mutex);
  is_second = 1;
  mutex_unlock(&mutex);
  cond_signal(&second);
  vanish();
}
