/* Two threads share one permit, and the timer comes in between. */
#include <assert.h>
#include <faultline_kernel.h>
#include <kernel.h>

static struct semaphore permit, over;
static int inside;

static void visit(void *unused) {
  (void)unused;
  sema_down(&permit);
  inside++;
  (void)timer_ticks();
  assert(inside == 1 && "two threads share one permit");
  inside--;
  sema_up(&permit);
  sema_up(&over);
}

int main(void) {
  static struct thread first, second;
  kernel_init(&first);
  sema_init(&permit, 1);
  sema_init(&over, 0);
  faultline_interrupt("timer", timer_interrupt, 0, 2);
  thread_create(&second, PRIORITY_DEFAULT, visit, 0);
  visit(0);
  visit(0);
  sema_down(&over);
  sema_down(&over);
  sema_down(&over);
  thread_exit();
}
