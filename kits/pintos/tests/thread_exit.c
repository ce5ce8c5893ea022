/* Threads exit while others are created: what belongs to a thread is not used after it was freed. */
#include "threads/synch.h"
#include "threads/thread.h"

#include <assert.h>

static struct semaphore over;

static void ends(void *unused) {
  (void)unused;
  sema_up(&over);
}

int main(void) {
  pintos_boot(0, 1);
  sema_init(&over, 0);
  for (int i = 0; i < 2; i++) {
    tid_t id = thread_create("ends", PRI_DEFAULT, ends, 0);
    assert(id != TID_ERROR);
  }
  for (int i = 0; i < 2; i++) sema_down(&over);
  thread_exit();
}
