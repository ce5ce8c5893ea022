/* Nobody reads while another thread writes; afterwards both can. */
#include <assert.h>
#include <rwlock.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static rwlock_t lock;
static int number;

static void *writer(void *unused) {
  rwlock_lock(&lock, RWLOCK_WRITE);
  number = 1;
  thr_yield(-1);
  number = 2;
  rwlock_unlock(&lock);
  vanish();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  rwlock_init(&lock);
  thr_create(writer, 0);
  rwlock_lock(&lock, RWLOCK_READ);
  assert(number != 1 && "read while another thread writes");
  rwlock_unlock(&lock);
  rwlock_lock(&lock, RWLOCK_READ);
  rwlock_unlock(&lock);
  vanish();
}
