/* A writer that becomes a reader lets another reader in, and may wait for it. */
#include <assert.h>
#include <rwlock.h>
#include <sem.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static rwlock_t lock;
static sem_t has_read;
static int number;

static void *reader(void *unused) {
  rwlock_lock(&lock, RWLOCK_READ);
  assert(number == 2 && "read before the writer was done");
  sem_signal(&has_read);
  rwlock_unlock(&lock);
  vanish();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  rwlock_init(&lock);
  assert(sem_init(&has_read, 0) == 0 && "a semaphore with 0 permits is refused");
  rwlock_lock(&lock, RWLOCK_WRITE);
  thr_create(reader, 0);
  number = 1;
  thr_yield(-1);
  number = 2;
  rwlock_downgrade(&lock);
  sem_wait(&has_read);
  rwlock_unlock(&lock);
  vanish();
}
