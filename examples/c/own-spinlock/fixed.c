// expect: verified
// Looked at and set in one step.
#include <faultline.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int is_taken;
static int counter;

static void *worker(void *arg) {
  while (atomic_exchange(&is_taken, 1)) {}
  faultline_acquired(&is_taken);
  counter++;
  faultline_releasing(&is_taken);
  atomic_store(&is_taken, 0);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
