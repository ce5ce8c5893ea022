/* A deque with atomic ends: the last element goes to owner and thief if the owner does not compete for it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int items[4], taken[2], head, tail;

static void use(int item) { assert(atomic_fetch_add(&taken[item], 1) == 0); }

static int pop(void) {
  int last = --tail;
  int first = head;
  if (first < last) return items[last];
#ifdef BUG
  if (first == last) return items[last]; // cause
#else
  if (first == last) {
    int item = items[last];
    int is_mine = atomic_compare_exchange_strong(&head, &first, first + 1);
    tail = last + 1;
    return is_mine ? item : -1;
  }
#endif
  tail = last + 1;
  return -1;
}

static void *steal(void *unused) {
  int first = head;
  if (first >= tail) return unused;
  int item = items[first];
  if (atomic_compare_exchange_strong(&head, &first, first + 1)) use(item); // cause
  return unused;
}

int main(void) {
  pthread_t thief;
  items[0] = 0, items[1] = 1;
  tail = 2;
  pthread_create(&thief, 0, steal, 0);
  for (int i = 0; i < 2; i++) {
    int item = pop();
    if (item >= 0) use(item);
  }
  pthread_join(thief, 0);
}
