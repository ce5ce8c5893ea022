/* A deque: its owner takes from one end without the lock as long as there seem to be enough elements. */
#include <assert.h>
#include <pthread.h>
#define ITEMS 2
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[4], taken[ITEMS], head, tail;

static void use(int item) {
  assert(taken[item] == 0);
  taken[item] = 1;
}

static void push(int item) {
  pthread_mutex_lock(&lock);
  items[tail] = item;
  tail++;
  pthread_mutex_unlock(&lock);
}

static int pop(void) {
#ifdef BUG
  tail--; // cause
  if (head <= tail) return items[tail]; // cause
  tail++;
#endif
  int item = -1;
  pthread_mutex_lock(&lock);
  if (head < tail) item = items[--tail];
  pthread_mutex_unlock(&lock);
  return item;
}

static void *steal(void *unused) {
  int item = -1;
  pthread_mutex_lock(&lock);
  if (head < tail) item = items[head++]; // cause
  pthread_mutex_unlock(&lock);
  if (item >= 0) use(item);
  return unused;
}

int main(void) {
  pthread_t thief;
  push(0);
  pthread_create(&thief, 0, steal, 0);
  push(1);
  for (int i = 0; i < ITEMS; i++) {
    int item = pop();
    if (item >= 0) use(item);
  }
  pthread_join(thief, 0);
}
