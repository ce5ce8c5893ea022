/* Threads of one priority that give way, block, are unblocked and exit: each runs to its end. */
#include "threads/interrupt.h"
#include "threads/synch.h"
#include "threads/thread.h"

static struct semaphore over;
static struct thread *blocked;

static void blocks(void *unused) {
  (void)unused;
  enum intr_level level = intr_disable();
  blocked = thread_current();
  thread_block();
  intr_set_level(level);
  sema_up(&over);
}

static void yields(void *unused) {
  (void)unused;
  thread_yield();
  sema_up(&over);
}

int main(void) {
  pintos_boot(0, 1);
  sema_init(&over, 0);
  thread_create("blocks", PRI_DEFAULT, blocks, 0);
  thread_create("yields", PRI_DEFAULT, yields, 0);
  while (blocked == 0) thread_yield();
  thread_unblock(blocked);
  for (int i = 0; i < 2; i++) sema_down(&over);
  thread_exit();
}
