/* A handler gives two permits while a thread gives one and takes all. */
#include <faultline_kernel.h>
#include <kernel.h>

static struct semaphore permits;

static void device(void *unused) {
  (void)unused;
  sema_up(&permits);
}

int main(void) {
  static struct thread first;
  kernel_init(&first);
  sema_init(&permits, 0);
  faultline_interrupt("device", device, 0, 2);
  sema_up(&permits);
  sema_down(&permits);
  sema_down(&permits);
  sema_down(&permits);
  thread_exit();
}
