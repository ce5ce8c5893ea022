// expect: bug double-free
// Two threads find the connection open and close it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic buffer;

static void *closer(void *arg) {
  char *mine = atomic_load(&buffer);  // cause
  if (mine) {
    free(mine);
    atomic_store(&buffer, NULL);  // cause
  }
  return arg;
}

int main(void) {
  atomic_store(&buffer, malloc(100));
  pthread_t a, b;
  pthread_create(&a, NULL, closer, NULL);
  pthread_create(&b, NULL, closer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
