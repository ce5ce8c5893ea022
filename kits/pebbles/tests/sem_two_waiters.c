/* Two permits let two threads go on who wait for them. */
#include <assert.h>
#include <sem.h>
#include <thread.h>

#define STACK_SIZE 1024

static sem_t semaphore;

static void *waiter(void *unused) {
  sem_wait(&semaphore);
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  assert(sem_init(&semaphore, 0) == 0 && "a semaphore with 0 permits is refused");
  int a = thr_create(waiter, 0);
  int b = thr_create(waiter, 0);
  sem_signal(&semaphore);
  sem_signal(&semaphore);
  thr_join(a, 0);
  thr_join(b, 0);
  return 0;
}
