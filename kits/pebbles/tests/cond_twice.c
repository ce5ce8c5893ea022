/* A thread waits on one condition variable twice, and holds the mutex whenever it is awake. */
#include <assert.h>
#include <cond.h>
#include <mutex.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static mutex_t mutex;
static cond_t changed;
static int number, is_inside;

static void enter(void) {
  assert(!is_inside && "two threads hold the mutex");
  is_inside = 1;
}

static void leave(void) { is_inside = 0; }

static void *waiter(void *unused) {
  mutex_lock(&mutex);
  for (int i = 1; i <= 2; i++) {
    while (number < i) cond_wait(&changed, &mutex);
    enter();
    leave();
  }
  mutex_unlock(&mutex);
  vanish();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  mutex_init(&mutex);
  cond_init(&changed);
  thr_create(waiter, 0);
  for (int i = 1; i <= 2; i++) {
    mutex_lock(&mutex);
    enter();
    number = i;
    cond_signal(&changed);
    leave();
    mutex_unlock(&mutex);
  }
  vanish();
}
