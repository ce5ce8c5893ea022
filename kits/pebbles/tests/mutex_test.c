/*
 * Two threads take a mutex, one of them twice: nobody else is inside meanwhile. Nothing else of the library is used, since
 * all of it rests on its mutexes.
 */
#include <assert.h>
#include <mutex.h>
#include <syscall.h>

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
  mutex_init(&mutex);
  faultline_thread_fork(0, contender, 0);
  critical_section();
  vanish();
}
