// expect: bug trap
// The index of a handler is looked at, and then read again to be used.
#include <pthread.h>
#include <stdatomic.h>

static int handled;
static void start(void) { handled++; }
static void stop(void) { handled--; }
static void (*const handlers[])(void) = {start, stop};

static _Atomic unsigned request;

static void *sender(void *arg) {
  atomic_store(&request, 1000000);  // cause
  return arg;
}

static void *receiver(void *arg) {
  if (atomic_load(&request) < 2) handlers[atomic_load(&request)]();  // cause
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sender, NULL);
  pthread_create(&b, NULL, receiver, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
