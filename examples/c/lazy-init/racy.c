// expect: bug trap
// The flag says that the object is there before it is.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
  int limit;
};

static struct config *config;
static _Atomic int is_ready;

static void *loader(void *arg) {
  atomic_store(&is_ready, 1);  // cause
  config = malloc(sizeof *config);  // cause
  config->limit = 10;
  return arg;
}

static void *user(void *arg) {
  if (atomic_load(&is_ready)) config->limit--;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, loader, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(config);
}
