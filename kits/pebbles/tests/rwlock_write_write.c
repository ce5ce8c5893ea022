/* Two threads write, one of them twice: each is alone. */
#include <assert.h>
#include <rwlock.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static rwlock_t lock;
static int writers;

static void write_alone(void) {
  rwlock_lock(&lock, RWLOCK_WRITE);
  writers++;
  thr_yield(-1);
  assert(writers == 1 && "two threads write at once");
  writers--;
  rwlock_unlock(&lock);
}

static void *writer(void *unused) {
  write_alone();
  vanish();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  rwlock_init(&lock);
  thr_create(writer, 0);
  write_alone();
  write_alone();
  vanish();
}
