/* Two threads wake up at the same tick while a third one works: the one of higher priority runs first. */
#include "devices/timer.h"
#include "threads/synch.h"
#include "threads/thread.h"

#include <assert.h>

static struct semaphore over;
static int woken[2];
static int count;

static void sleeper(void *priority) {
  timer_sleep(2);
  woken[count++] = *(int *)priority;
  sema_up(&over);
}

int main(void) {
  static int priorities[2] = {PRI_DEFAULT + 1, PRI_DEFAULT + 2};
  pintos_boot(0, 0);
  sema_init(&over, 0);
  for (int i = 0; i < 2; i++) thread_create("sleeper", priorities[i], sleeper, &priorities[i]);
  pintos_interrupts(2, 0);
  for (int i = 0; i < 2; i++) sema_down(&over);
  assert(woken[0] == PRI_DEFAULT + 2 && "of two threads that wake up at once, the one of lower priority ran first");
  thread_exit();
}
