/* Two signals, given without the mutex, to a thread that waits twice. */
#include <cond.h>
#include <mutex.h>
#include <syscall.h>
#include <thread.h>

#define STACK_SIZE 1024

static mutex_t mutex;
static cond_t cond;
static int permits;

static void *waiter(void *unused) {
  for (int i = 0; i < 2; i++) {
    mutex_lock(&mutex);
    while (permits == 0) cond_wait(&cond, &mutex);
    permits--;
    mutex_unlock(&mutex);
  }
  vanish();
  return unused;
}

static void permit(void) {
  mutex_lock(&mutex);
  permits++;
  mutex_unlock(&mutex);
  cond_signal(&cond);
}

int main(void) {
  thr_init(STACK_SIZE);
  mutex_init(&mutex);
  cond_init(&cond);
  thr_create(waiter, 0);
  permit();
  permit();
  vanish();
}
