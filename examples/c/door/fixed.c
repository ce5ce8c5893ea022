// expect: verified
// The state changes in one step.
#include <pthread.h>

enum { closed = 0, open = 1, locked = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int state = closed;
static int passed;

static void *janitor(void *arg) {
  pthread_mutex_lock(&mutex);
  state = locked;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *visitor(void *arg) {
  pthread_mutex_lock(&mutex);
  int seen = state;
  pthread_mutex_unlock(&mutex);
  switch (seen) {
  case open: passed++; break;
  case closed: break;
  case locked: break;
  default: __builtin_trap();
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, janitor, NULL);
  pthread_create(&b, NULL, visitor, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
