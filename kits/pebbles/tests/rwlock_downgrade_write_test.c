/* Nobody writes between a downgrade and the unlock that follows it. */
#include <assert.h>
#include <rwlock.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static rwlock_t lock;
static int number;

static void *writer(void *unused) {
  rwlock_lock(&lock, RWLOCK_WRITE);
  number = 2;
  rwlock_unlock(&lock);
  vanish();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  rwlock_init(&lock);
  rwlock_lock(&lock, RWLOCK_WRITE);
  thr_create(writer, 0);
  number = 1;
  rwlock_downgrade(&lock);
  assert(number == 1 && "another thread wrote during the downgrade");
  thr_yield(-1);
  assert(number == 1 && "another thread writes while this one reads");
  rwlock_unlock(&lock);
  vanish();
}
