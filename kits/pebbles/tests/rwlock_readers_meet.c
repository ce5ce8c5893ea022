/* Two threads that read at the same time can wait for each other, also if they had to wait for a writer first. */
#include <rwlock.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static rwlock_t lock;
static volatile int is_here[2];

static void meet(int self) {
  rwlock_lock(&lock, RWLOCK_READ);
  is_here[self] = 1;
  while (!is_here[1 - self]) thr_yield(-1);
  rwlock_unlock(&lock);
  vanish();
}

static void *second(void *unused) {
  meet(1);
  return unused;
}

static void *first(void *unused) {
  thr_create(second, 0);
  meet(0);
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  rwlock_init(&lock);
  rwlock_lock(&lock, RWLOCK_WRITE);
  thr_create(first, 0);
  rwlock_unlock(&lock);
  vanish();
}
