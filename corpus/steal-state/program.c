/* Work items have a state of their own, so that an item given out twice could be done once; the state is read, then set. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { FREE, RUNNING };
static atomic_int state[2], runs[2], head, tail = 2;

static void run(int item) {
#ifdef BUG
  if (state[item] != FREE) return; // cause
  state[item] = RUNNING; // cause
#else
  int expected = FREE;
  if (!atomic_compare_exchange_strong(&state[item], &expected, RUNNING)) return;
#endif
  assert(atomic_fetch_add(&runs[item], 1) == 0);
}

static void *steal(void *unused) {
  int first = head;
  if (first >= tail) return unused;
  head = first + 1;
  run(first);
  return unused;
}

int main(void) {
  pthread_t thief;
  pthread_create(&thief, 0, steal, 0);
  for (int i = 0; i < 2; i++) {
    int last = --tail;
    if (head <= last) run(last);
  }
  pthread_join(thief, 0);
}
