/* Two threads that read at the same time can wait for each other, also if they had to wait for a writer first. */
#include <assert.h>
#include <rwlock.h>
#include <sem.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static rwlock_t lock;
static sem_t is_here[2];

static void *reader(void *unused) {
  rwlock_lock(&lock, RWLOCK_READ);
  sem_signal(&is_here[0]);
  sem_wait(&is_here[1]);
  rwlock_unlock(&lock);
  vanish();
  return unused;
}

static void *other_reader(void *unused) {
  rwlock_lock(&lock, RWLOCK_READ);
  sem_signal(&is_here[1]);
  sem_wait(&is_here[0]);
  rwlock_unlock(&lock);
  vanish();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  rwlock_init(&lock);
  assert(sem_init(&is_here[0], 0) == 0 && "a semaphore with 0 permits is refused");
  assert(sem_init(&is_here[1], 0) == 0 && "a semaphore with 0 permits is refused");
  rwlock_lock(&lock, RWLOCK_WRITE);
  thr_create(reader, 0);
  thr_create(other_reader, 0);
  rwlock_unlock(&lock);
  vanish();
}
