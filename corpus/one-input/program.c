/* An index comes from the input and is checked before a lock is taken: for the largest, another thread shrinks the table. */
#include <assert.h>
#include <faultline.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table[4] = {1, 2, 3, 4}, size = 4;

static void *shrink(void *unused) {
  pthread_mutex_lock(&lock);
  size = 3; // cause
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  int index = faultline_choose(4), value = 0;
  pthread_create(&thread, 0, shrink, 0);
#ifdef BUG
  if (index < size) { // cause
    pthread_mutex_lock(&lock);
#else
  pthread_mutex_lock(&lock);
  if (index < size) {
#endif
    assert(index < size);
    value = table[index];
#ifdef BUG
    pthread_mutex_unlock(&lock);
  }
#else
  }
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(thread, 0);
  assert(value == 0 || value == index + 1);
}
