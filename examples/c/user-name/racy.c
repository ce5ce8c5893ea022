// expect: bug invalid-free
// A name is freed unless it is the default, but it is read a second time to be freed.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char nobody[] = "nobody";
static char original[] = "somebody";
static char *name;
static char *kept;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Puts the default in the place of the name, which is kept for a while. */
static void *hide(void *arg) {
  pthread_mutex_lock(&mutex);
  kept = name == nobody ? NULL : name;
  name = nobody;  // cause
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *leave(void *arg) {
  if (name != nobody) {  // cause
    free(name);  // cause
    name = nobody;
  }
  return arg;
}

int main(void) {
  name = strdup(original);
  pthread_t a, b;
  pthread_create(&a, NULL, hide, NULL);
  pthread_create(&b, NULL, leave, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
