/* Setters write two variables one after the other; checkers must see both or neither. */
#include <assert.h>
#include <pthread.h>
#ifndef SETTERS
#define SETTERS 2
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif
static int a, b;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
}

static void leave(void) {
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
}

static void *set(void *unused) {
  enter();
  a = 1; // cause
  b = -1; // cause
  leave();
  return unused;
}

static void *check(void *unused) {
  enter();
  int is_before = a == 0 && b == 0; // cause
  int is_after = a == 1 && b == -1;
  leave();
  assert(is_before || is_after);
  return unused;
}

int main(void) {
  pthread_t threads[SETTERS + CHECKERS];
  for (int i = 0; i < SETTERS; i++) pthread_create(&threads[i], 0, set, 0);
  for (int i = 0; i < CHECKERS; i++) pthread_create(&threads[SETTERS + i], 0, check, 0);
  for (int i = 0; i < SETTERS + CHECKERS; i++) pthread_join(threads[i], 0);
}
