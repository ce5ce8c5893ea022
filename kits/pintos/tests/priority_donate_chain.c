/* Who holds a lock has the priority of whoever waits for it, also through another lock, and no longer than that. */
#include "threads/synch.h"
#include "threads/thread.h"

#include <assert.h>

static struct lock inner, outer;
static int has_high_run, has_middle_run;

static void middle(void *unused) {
  (void)unused;
  lock_acquire(&outer);
  lock_acquire(&inner);
  lock_release(&inner);
  lock_release(&outer);
  has_middle_run = 1;
}

static void high(void *unused) {
  (void)unused;
  lock_acquire(&outer);
  has_high_run = 1;
  lock_release(&outer);
}

int main(void) {
  pintos_boot(0, 1);
  lock_init(&inner);
  lock_init(&outer);
  lock_acquire(&inner);
  thread_create("middle", PRI_DEFAULT + 1, middle, 0);
  assert(thread_get_priority() == PRI_DEFAULT + 1 && "who holds a lock has less priority than who waits for it");
  thread_create("high", PRI_DEFAULT + 2, high, 0);
  assert(thread_get_priority() == PRI_DEFAULT + 2 && "a priority is not passed on through a second lock");
  lock_release(&inner);
  assert(has_high_run && has_middle_run && "a lock is free, and those of higher priority do not run first");
  assert(thread_get_priority() == PRI_DEFAULT && "a donated priority is kept");
  thread_exit();
}
