/* Two threads come and go, one after the other returned; joining somebody who was never there fails. */
#include <assert.h>
#include <thread.h>

#define STACK_SIZE 1024

static int ids[2];

static void *child(void *id) {
  *(int *)id = thr_getid();
  return id;
}

int main(void) {
  void *status = 0;
  thr_init(STACK_SIZE);
  int first = thr_create(child, &ids[0]);
  int second = thr_create(child, &ids[1]);
  int result = thr_join(second, &status);
  assert(result == 0 && status == &ids[1] && ids[1] == second);
  result = thr_join(first, &status);
  assert(result == 0 && status == &ids[0] && ids[0] == first);
  assert(thr_join(first + 100, 0) < 0 && "joined a thread that does not exist");
  return 0;
}
