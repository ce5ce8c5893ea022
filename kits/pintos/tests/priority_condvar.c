/* Two threads wait for a condition: a signal wakes the one of higher priority, and none is lost. */
#include "threads/synch.h"
#include "threads/thread.h"

#include <assert.h>

static struct lock lock;
static struct condition condition;
static int woken[2];
static int count;

static void waiter(void *priority) {
  lock_acquire(&lock);
  cond_wait(&condition, &lock);
  woken[count++] = *(int *)priority;
  lock_release(&lock);
}

int main(void) {
  static int priorities[2] = {PRI_DEFAULT + 1, PRI_DEFAULT + 2};
  pintos_boot(0, 1);
  lock_init(&lock);
  cond_init(&condition);
  for (int i = 0; i < 2; i++) thread_create("waiter", priorities[i], waiter, &priorities[i]);
  for (int i = 0; i < 2; i++) {
    lock_acquire(&lock);
    cond_signal(&condition, &lock);
    lock_release(&lock);
  }
  assert(count == 2 && "a signal is lost");
  assert(woken[0] == PRI_DEFAULT + 2 && "a signal wakes the thread of lower priority");
  thread_exit();
}
