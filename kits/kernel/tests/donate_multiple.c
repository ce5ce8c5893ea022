/* Two locks, and a thread waiting for each: with one of them released, the priority that came with the other is left. */
#include <assert.h>
#include <kernel.h>

enum { LOW = 1, MIDDLE = 20, HIGH = 40 };

static struct lock locks[2];
static struct semaphore over;

static void waiter(void *lock) {
  lock_acquire(lock);
  lock_release(lock);
  sema_up(&over);
}

int main(void) {
  static struct thread first, others[2];
  kernel_init(&first);
  first.base_priority = first.priority = LOW;
  sema_init(&over, 0);
  for (int i = 0; i < 2; i++) {
    lock_init(&locks[i]);
    lock_acquire(&locks[i]);
  }
  thread_create(&others[0], MIDDLE, waiter, &locks[0]);
  thread_create(&others[1], HIGH, waiter, &locks[1]);
  assert(first.priority == HIGH);
  lock_release(&locks[1]);
  assert(first.priority == MIDDLE && "a release takes away what was donated for another lock");
  lock_release(&locks[0]);
  assert(first.priority == LOW && "a priority is kept that was donated");
  sema_down(&over);
  sema_down(&over);
  thread_exit();
}
