/* Two threads count under a lock: one at a time. */
#include "threads/synch.h"
#include "threads/thread.h"

#include <assert.h>

static struct lock lock;
static struct semaphore over;
static int inside, counter;

static void count(void *unused) {
  (void)unused;
  lock_acquire(&lock);
  assert(inside == 0 && "two threads hold a lock at once");
  inside = 1;
  counter++;
  inside = 0;
  lock_release(&lock);
  sema_up(&over);
}

int main(void) {
  pintos_boot(0, 2);
  lock_init(&lock);
  sema_init(&over, 0);
  thread_create("counter", PRI_DEFAULT, count, 0);
  count(0);
  for (int i = 0; i < 2; i++) sema_down(&over);
  assert(counter == 2);
  thread_exit();
}
