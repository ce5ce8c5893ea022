// expect: verified
// Whoever takes the buffer out closes.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic buffer;

static void *closer(void *arg) {
  char *mine = atomic_exchange(&buffer, NULL);
  if (mine) free(mine);
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
