/*
 * Two threads take a mutex, one of them twice: nobody else is inside meanwhile. Of the rest of the library only what a
 * mutex may need is used: that threads are known to it.
 */
#include <assert.h>
#include <mutex.h>
#include <syscall.h>
#include <thread.h>

static mutex_t mutex;
static int inside;

static void critical_section(void) {
  mutex_lock(&mutex);
  inside++;
  yield(-1);
  assert(inside == 1 && "somebody else is inside");
  inside--;
  mutex_unlock(&mutex);
}

static void *contender(void *unused) {
  critical_section();
  critical_section();
  vanish();
  return unused;
}

int main(void) {
  thr_init(4096);
  mutex_init(&mutex);
  thr_create(contender, 0);
  critical_section();
  vanish();
}
