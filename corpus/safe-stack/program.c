/* A stack of array cells that marks a cell while it is being taken; a marked cell can come back in between. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define CELLS 3
static struct { atomic_int next, user; } cell[CELLS];
static atomic_int top, left = CELLS;
#ifndef BUG
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static int try_pop(void) {
  int head = top;
  int next = atomic_exchange(&cell[head].next, -1);
  if (next < 0) return -1;
  int expected = head;
  if (atomic_compare_exchange_strong(&top, &expected, next)) { // cause
    left--;
    return head;
  }
  atomic_exchange(&cell[head].next, next);
  return -1;
}

static int pop(void) {
  for (int tries = 0; tries < 2 && left > 1; tries++) {
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    int taken = try_pop();
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    if (taken >= 0) return taken;
  }
  return -1;
}

static void push(int index) {
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  int head = top;
  do {
    cell[index].next = head;
  } while (!atomic_compare_exchange_strong(&top, &head, index));
  left++;
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
}

static void *use(void *number) {
  int me = (int)(long)number;
  for (int i = 0; i < 2; i++) {
    int mine = pop();
    if (mine < 0) continue;
    cell[mine].user = me;
    assert(cell[mine].user == me);
    push(mine);
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < CELLS; i++) cell[i].next = i + 1 < CELLS ? i + 1 : -1;
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, use, (void *)(i + 1));
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
