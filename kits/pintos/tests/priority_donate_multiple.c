/*
 * A thread of higher priority wakes up and wants a lock at any time while it is taken and given back. In the end the one
 * that held it has its own priority again.
 */
#include "devices/timer.h"
#include "threads/synch.h"
#include "threads/thread.h"

#include <assert.h>

static struct lock first, second;
static struct semaphore over;

static void contender(void *lock) {
  timer_sleep(1);
  lock_acquire(lock);
  lock_release(lock);
  sema_up(&over);
}

int main(void) {
  pintos_boot(1, 0);
  lock_init(&first);
  lock_init(&second);
  sema_init(&over, 0);
  thread_create("contender", PRI_DEFAULT + 1, contender, &first);
  lock_acquire(&first);
  lock_acquire(&second);
  int before = thread_get_priority();
  lock_release(&second);
  assert(thread_get_priority() >= before && "a donation ends with a lock that it was not for");
  lock_release(&first);
  sema_down(&over);
  assert(thread_get_priority() == PRI_DEFAULT && "a donated priority is kept");
  thread_exit();
}
