/* A semaphore with one permit keeps a second thread out, also when the permit is taken before whoever was woken comes. */
#include <assert.h>
#include <sem.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static sem_t semaphore;
static int inside;

static void visit(void) {
  sem_wait(&semaphore);
  inside++;
  thr_yield(-1);
  assert(inside == 1 && "two threads share one permit");
  inside--;
  sem_signal(&semaphore);
}

static void *visitor(void *unused) {
  visit();
  vanish();
  return unused;
}

int main(void) {
  thr_init(STACK_SIZE);
  assert(sem_init(&semaphore, 1) == 0 && "a semaphore with 1 permit is refused");
  thr_create(visitor, 0);
  visit();
  visit();
  vanish();
}
