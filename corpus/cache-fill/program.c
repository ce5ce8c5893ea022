/* Two threads miss in a cache at once, both compute, and the one that is late replaces what others use already. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *cached;

static int *get(void) {
  pthread_mutex_lock(&lock);
  int *found = cached;
  pthread_mutex_unlock(&lock);
  if (found) return found;
  int *made = malloc(sizeof *made);
  *made = 9;
  pthread_mutex_lock(&lock);
#ifdef BUG
  if (cached) free(cached); // cause
  cached = made;
#else
  if (cached) free(made), made = cached;
  else cached = made;
#endif
  pthread_mutex_unlock(&lock);
  return made;
}

static void *use(void *unused) {
  int *value = get();
  assert(*value == 9); // cause
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
