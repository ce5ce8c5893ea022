/* Two permits let two threads go on who wait for them. */
#include <assert.h>
#include <sem.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static sem_t semaphore;

static void *second(void *unused) {
  sem_wait(&semaphore);
  vanish();
  return unused;
}

static void *first(void *unused) {
  thr_create(second, 0);
  sem_wait(&semaphore);
  vanish();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  assert(sem_init(&semaphore, 0) == 0 && "a semaphore with 0 permits is refused");
  thr_create(first, 0);
  sem_signal(&semaphore);
  sem_signal(&semaphore);
  vanish();
}
