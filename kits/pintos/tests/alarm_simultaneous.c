/* Two threads sleep for different times. Neither is woken too early, and both are. */
#include "devices/timer.h"
#include "threads/synch.h"
#include "threads/thread.h"

#include <assert.h>

static struct semaphore over;

static void sleeper(void *duration) {
  int64_t start = timer_ticks();
  timer_sleep(*(int *)duration);
  assert(timer_elapsed(start) >= *(int *)duration && "woken too early");
  sema_up(&over);
}

int main(void) {
  static int durations[2] = {1, 2};
  pintos_boot(1, 1);
  sema_init(&over, 0);
  for (int i = 0; i < 2; i++) thread_create("sleeper", PRI_DEFAULT, sleeper, &durations[i]);
  for (int i = 0; i < 2; i++) sema_down(&over);
  thread_exit();
}
