// expect: bug trap
// Whoever looks while the door is between two states sees one that is not on the list.
#include <pthread.h>

enum { closed = 0, open = 1, locked = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int state = closed;
static int passed;

static void *janitor(void *arg) {
  pthread_mutex_lock(&mutex);
  state += open;  // cause
  state += locked;  // cause
  state -= open;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *visitor(void *arg) {
  int seen = state;  // cause
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
