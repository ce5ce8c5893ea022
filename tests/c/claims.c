/* Two who want the same thread; CASE chooses. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_t worker_thread;
static int results[2];

static void *work(void *argument) { return argument; }

static char code(int result) { return result == 0 ? '0' : result == ESRCH ? 'S' : result == EINVAL ? 'I' : '?'; }

static void *join(void *argument) {
  *(int *)argument = pthread_join(worker_thread, 0);
  return 0;
}

static void *detach(void *argument) {
  *(int *)argument = pthread_detach(worker_thread);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&worker_thread, 0, work, 0);
  pthread_create(&a, 0, CASE == 3 ? detach : join, &results[0]);
  pthread_create(&b, 0, CASE == 1 ? join : detach, &results[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  printf("%c%c", code(results[0]), code(results[1]));
  return 0;
}
