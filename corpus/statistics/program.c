/* Hits are counted without a lock, which costs some; a limit that is checked against them is passed. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits, used;

static void *request(void *unused) {
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  int is_allowed = hits < 1;
  hits++; // cause
#ifdef BUG
  pthread_mutex_lock(&lock);
#endif
  if (is_allowed) used++;
  assert(used <= 1);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, request, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
