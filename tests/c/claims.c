/* Two who want the same thread; CASE chooses. */
#include <pthread.h>
#include "case.h"

static pthread_t worker_thread;
static void *work(void *argument) { return argument; }

static void *join(void *argument) {
  pthread_join(worker_thread, 0);
  return argument;
}

static void *detach(void *argument) {
  pthread_detach(worker_thread);
  return argument;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t a, b;
  pthread_create(&worker_thread, 0, work, 0);
  pthread_create(&a, 0, CASE == 3 ? detach : join, 0);
  pthread_create(&b, 0, CASE == 1 ? join : detach, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
