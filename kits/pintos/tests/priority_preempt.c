/* Who becomes ready with a higher priority runs at once: when it is created, when it is woken, when others fall below. */
#include "threads/synch.h"
#include "threads/thread.h"

#include <assert.h>

static struct semaphore gate;
static int steps;

static void high(void *unused) {
  (void)unused;
  steps = 1;
  sema_down(&gate);
  steps = 2;
}

static void middle(void *unused) {
  (void)unused;
  steps = 3;
}

int main(void) {
  pintos_boot(0, 1);
  sema_init(&gate, 0);
  thread_create("high", PRI_DEFAULT + 2, high, 0);
  assert(steps == 1 && "a thread of higher priority is created, and does not run at once");
  sema_up(&gate);
  assert(steps == 2 && "a thread of higher priority is woken, and does not run at once");
  thread_create("middle", PRI_DEFAULT - 1, middle, 0);
  assert(steps == 2 && "a thread of lower priority runs first");
  thread_set_priority(PRI_DEFAULT - 2);
  assert(steps == 3 && "a thread lowers its priority below that of another, and goes on");
  thread_exit();
}
