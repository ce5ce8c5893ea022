/* Two threads that read at the same time can wait for each other, also if they had to wait for a writer first. */
#include <assert.h>
#include <rwlock.h>
#include <sem.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static rwlock_t lock;
static sem_t is_here[2];

static void meet(sem_t *own, sem_t *others) {
  rwlock_lock(&lock, RWLOCK_READ);
  sem_signal(own);
  sem_wait(others);
  rwlock_unlock(&lock);
  vanish();
}

static void *second(void *unused) {
  meet(&is_here[1], &is_here[0]);
  return unused;
}

static void *first(void *unused) {
  thr_create(second, 0);
  meet(&is_here[0], &is_here[1]);
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  rwlock_init(&lock);
  assert(sem_init(&is_here[0], 0) == 0 && "a semaphore with 0 permits is refused");
  assert(sem_init(&is_here[1], 0) == 0 && "a semaphore with 0 permits is refused");
  rwlock_lock(&lock, RWLOCK_WRITE);
  thr_create(first, 0);
  rwlock_unlock(&lock);
  vanish();
}
