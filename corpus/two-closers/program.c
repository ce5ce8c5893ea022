/* Whoever sees that a connection is no longer used closes it: two may. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users = 2;
static char *connection;

static void *leave(void *unused) {
  pthread_mutex_lock(&lock);
  users--;
#ifndef BUG
  int is_last = users == 0;
#endif
  pthread_mutex_unlock(&lock);
#ifdef BUG
  pthread_mutex_lock(&lock);
  int is_last = users == 0; // cause
  pthread_mutex_unlock(&lock);
#endif
  if (is_last) free(connection); // cause
  return unused;
}

int main(void) {
  pthread_t a, b;
  connection = malloc(8);
  pthread_create(&a, 0, leave, 0);
  pthread_create(&b, 0, leave, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
