/* Two threads of one priority wait for a semaphore; both get through once it was raised twice, and no sooner. */
#include "threads/interrupt.h"
#include "threads/synch.h"
#include "threads/thread.h"

#include <assert.h>

static struct semaphore gate, over;
static int raised, passed;

static void waiter(void *unused) {
  (void)unused;
  sema_down(&gate);
  enum intr_level level = intr_disable();
  passed++;
  assert(passed <= raised && "more threads got through than the semaphore was raised");
  intr_set_level(level);
  sema_up(&over);
}

int main(void) {
  pintos_boot(0, 2);
  sema_init(&gate, 0);
  sema_init(&over, 0);
  for (int i = 0; i < 2; i++) thread_create("waiter", PRI_DEFAULT, waiter, 0);
  for (int i = 0; i < 2; i++) {
    enum intr_level level = intr_disable();
    raised++;
    sema_up(&gate);
    intr_set_level(level);
  }
  for (int i = 0; i < 2; i++) sema_down(&over);
  assert(gate.value == 0 && "a semaphore that was raised and lowered as often");
  thread_exit();
}
