// expect: bug assertion
// Two threads find the table not there yet, and both set it up.
#include <assert.h>
#include <pthread.h>

static int initialisations;
static int is_initialised;

static void initialise(void) { initialisations++; }

static void *user(void *arg) {
  if (!is_initialised) {  // cause
    initialise();
    is_initialised = 1;  // cause
  }
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
