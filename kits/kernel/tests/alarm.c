/*
 * Two threads sleep for as long as they say. When nobody else can run, the first thread is what makes time go by; besides
 * that, the timer comes twice at any time.
 */
#include <assert.h>
#include <faultline_kernel.h>
#include <kernel.h>

#define TICKS 2

static struct semaphore over;
static int left = 2;

static void sleeper(void *duration) {
  long long start = timer_ticks();
  timer_sleep(*(int *)duration);
  long long elapsed = timer_ticks() - start;
  assert(elapsed >= *(int *)duration && "woken too early");
  /* The first thread lets no time go by while this one could run; the timer may have. */
  assert(elapsed <= *(int *)duration + TICKS && "woken too late");
  intr_disable();
  left--;
  intr_enable();
  sema_up(&over);
}

static int is_left(void) {
  intr_disable();
  int is = left > 0;
  intr_enable();
  return is;
}

int main(void) {
  static struct thread first, others[2];
  static int durations[2] = {2, 2};
  kernel_init(&first);
  sema_init(&over, 0);
  first.base_priority = first.priority = 1;
  faultline_interrupt("timer", timer_interrupt, 0, TICKS);
  for (int i = 0; i < 2; i++) thread_create(&others[i], PRIORITY_DEFAULT, sleeper, &durations[i]);
  for (int i = 0; i < 5 && is_left(); i++) {
    intr_disable();
    timer_interrupt(0);
    intr_enable();
  }
  sema_down(&over);
  sema_down(&over);
  thread_exit();
}
