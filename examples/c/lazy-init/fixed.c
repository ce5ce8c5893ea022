// expect: verified
// The object first, then the flag.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
  int limit;
};

static struct config *config;
static _Atomic int is_ready;

static void *loader(void *arg) {
  config = malloc(sizeof *config);
  config->limit = 10;
  atomic_store(&is_ready, 1);
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
