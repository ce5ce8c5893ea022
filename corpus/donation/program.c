/* Priority donation: who gives a lock back resets its priority, also what it was lent for another lock it holds. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int priority = 1, lent_for_a, lent_for_b, holds_b = 1;

static int highest(int x, int y) { return x > y ? x : y; }

static void *high(void *unused) {
  pthread_mutex_lock(&state);
  if (holds_b) lent_for_b = 9, priority = highest(priority, 9);
  pthread_mutex_unlock(&state);
  return unused;
}

static void *low(void *unused) {
  pthread_mutex_lock(&state);
  lent_for_a = 0;
#ifdef BUG
  priority = 1; // cause
#else
  priority = highest(1, highest(lent_for_a, lent_for_b));
#endif
  assert(!holds_b || priority >= lent_for_b);
  pthread_mutex_unlock(&state);
  pthread_mutex_lock(&state);
  holds_b = 0, lent_for_b = 0, priority = 1;
  pthread_mutex_unlock(&state);
  return unused;
}

int main(void) {
  pthread_t a, b;
  (void)other;
  pthread_create(&a, 0, low, 0);
  pthread_create(&b, 0, high, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
