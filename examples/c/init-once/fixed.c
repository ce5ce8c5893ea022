// expect: verified
// pthread_once.
#include <assert.h>
#include <pthread.h>

static int initialisations;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) { initialisations++; }

static void *user(void *arg) {
  pthread_once(&once, initialise);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(initialisations == 1);
}
