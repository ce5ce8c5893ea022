// expect: bug assertion
// Owner and thief take the last task, each from its end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int top, bottom = 1;
static _Atomic int done[1];

static void *owner(void *arg) {
  int last = atomic_fetch_sub(&bottom, 1) - 1;
  int first = atomic_load(&top);
  if (first > last) return arg;  // cause
  assert(atomic_fetch_add(&done[last], 1) == 0);
  return arg;
}

static void *thief(void *arg) {
  int first = atomic_load(&top);
  if (first >= atomic_load(&bottom)) return arg;  // cause
  if (!atomic_compare_exchange_strong(&top, &first, first + 1)) return arg;
  assert(atomic_fetch_add(&done[first], 1) == 0);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, owner, NULL);
  pthread_create(&b, NULL, thief, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
