/* A thread exits while another joins it: the status arrives, and nothing is used after it was freed. */
#include <assert.h>
#include <thread.h>

#define STACK_SIZE 1024

static int number;

static void *child(void *unused) {
  (void)unused;
  number = 1;
  thr_exit(&number);
  return 0;
}

int main(void) {
  void *status = 0;
  thr_init(STACK_SIZE);
  int tid = thr_create(child, 0);
  assert(tid > 0 && tid != thr_getid());
  int result = thr_join(tid, &status);
  assert(result == 0);
  assert(status == &number && "join got another status than exit was given");
  assert(number == 1);
  return 0;
}
