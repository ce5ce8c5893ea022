/* A thread leaves a pointer to what it frees on its way out. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *current;

static void *owner(void *unused) {
  int *own = malloc(sizeof *own);
  *own = 1;
  pthread_mutex_lock(&lock);
  current = own;
  pthread_mutex_unlock(&lock);
#ifndef BUG
  pthread_mutex_lock(&lock);
  current = 0;
  pthread_mutex_unlock(&lock);
#endif
  free(own); // cause
  return unused;
}

static void *user(void *unused) {
  pthread_mutex_lock(&lock);
  if (current) assert(*current == 1); // cause
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, owner, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
