/* Virtual time: sleeping takes it, the clock goes on, each thread has its own. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  assert(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static double elapsed;

static void *worker(void *argument) {
  double start = now();
  sleep(3600);
  elapsed = now() - start;
  return argument;
}

int main(void) {
  pthread_t thread;
  struct timespec half = {0, 500000000}, wrong = {0, 1000000000}, left = {1, 1};
  double start = now();
  assert(time(0) > 0);
  usleep(250000);
  assert(now() - start >= 0.25 && now() - start < 0.26);
  assert(nanosleep(&half, &left) == 0 && left.tv_sec == 0 && left.tv_nsec == 0);
  assert(nanosleep(&wrong, 0) == -1 && errno == EINVAL);
  assert(sched_yield() == 0);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  assert(elapsed >= 3600 && elapsed < 3601);
  assert(now() - start < 1);
  double later = now() + 5e-5;
  while (now() < later) {}
  return 0;
}
