/* Threads of one priority have their turns in order. */
#include <assert.h>
#include <kernel.h>

static struct semaphore over;
static int turns[4];
static int count;

static void taker(void *number) {
  for (int i = 0; i < 2; i++) {
    turns[count++] = *(int *)number;
    thread_yield();
  }
  sema_up(&over);
}

int main(void) {
  static struct thread first, others[2];
  static int numbers[2] = {1, 2};
  kernel_init(&first);
  sema_init(&over, 0);
  first.base_priority = first.priority = 1;
  for (int i = 0; i < 2; i++) thread_create(&others[i], 1, taker, &numbers[i]);
  sema_down(&over);
  sema_down(&over);
  assert(turns[0] == 1 && turns[1] == 2 && turns[2] == 1 && turns[3] == 2 && "not in turn");
  thread_exit();
}
