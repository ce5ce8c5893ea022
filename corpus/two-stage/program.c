/* One value follows from another, each under its own lock: between the two stages they do not fit. */
#include <assert.h>
#include <pthread.h>
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef READERS
#define READERS 1
#endif
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int base, derived;

static void *write_both(void *unused) {
  pthread_mutex_lock(&first);
  base = 1;
#ifdef BUG
  pthread_mutex_unlock(&first); // cause
#endif
  pthread_mutex_lock(&second); // cause
  derived = base + 1;
  pthread_mutex_unlock(&second);
#ifndef BUG
  pthread_mutex_unlock(&first);
#endif
  return unused;
}

static void *read_both(void *unused) {
  pthread_mutex_lock(&first);
  int seen = base;
  pthread_mutex_unlock(&first);
  if (seen == 0) return unused;
  pthread_mutex_lock(&second); // cause
  int follows = derived;
  pthread_mutex_unlock(&second);
  assert(follows == seen + 1);
  return unused;
}

int main(void) {
  pthread_t threads[WRITERS + READERS];
  for (int i = 0; i < WRITERS; i++) pthread_create(&threads[i], 0, write_both, 0);
  for (int i = 0; i < READERS; i++) pthread_create(&threads[WRITERS + i], 0, read_both, 0);
  for (int i = 0; i < WRITERS + READERS; i++) pthread_join(threads[i], 0);
}
