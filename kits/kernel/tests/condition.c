/* A thread waits for what another one does, and the timer comes in between. */
#include <faultline_kernel.h>
#include <kernel.h>

static struct lock lock;
static struct condition changed;
static struct semaphore over;
static int is_ready;

static void provider(void *unused) {
  (void)unused;
  lock_acquire(&lock);
  is_ready = 1;
  cond_signal(&changed);
  lock_release(&lock);
  sema_up(&over);
}

int main(void) {
  static struct thread first, second;
  kernel_init(&first);
  lock_init(&lock);
  cond_init(&changed);
  sema_init(&over, 0);
  faultline_interrupt("timer", timer_interrupt, 0, 2);
  thread_create(&second, PRIORITY_DEFAULT, provider, 0);
  lock_acquire(&lock);
  while (!is_ready) cond_wait(&changed, &lock);
  lock_release(&lock);
  sema_down(&over);
  thread_exit();
}
