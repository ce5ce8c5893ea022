/* Who holds a lock has the priority of whoever waits for it, also through another lock, and no longer than that. */
#include <assert.h>
#include <kernel.h>

enum { LOW = 1, MIDDLE = 20, HIGH = 40 };

static struct lock inner, outer;
static struct semaphore over;
static int has_high_run;

static void middle(void *unused) {
  (void)unused;
  lock_acquire(&outer);
  lock_acquire(&inner);
  lock_release(&inner);
  lock_release(&outer);
  sema_up(&over);
}

static void high(void *unused) {
  (void)unused;
  lock_acquire(&outer);
  has_high_run = 1;
  lock_release(&outer);
  sema_up(&over);
}

int main(void) {
  static struct thread first, others[2];
  kernel_init(&first);
  first.base_priority = first.priority = LOW;
  lock_init(&inner);
  lock_init(&outer);
  sema_init(&over, 0);
  lock_acquire(&inner);
  assert(first.priority == LOW);
  thread_create(&others[0], MIDDLE, middle, 0);
  assert(first.priority == MIDDLE && "the holder of a lock has less priority than who waits for it");
  thread_create(&others[1], HIGH, high, 0);
  assert(others[0].priority == HIGH && "the holder of a lock has less priority than who waits for it");
  assert(first.priority == HIGH && "a priority is not passed on");
  lock_release(&inner);
  assert(has_high_run && "the one of the highest priority did not run first");
  assert(first.priority == LOW && "a priority is kept that was donated");
  sema_down(&over);
  sema_down(&over);
  thread_exit();
}
