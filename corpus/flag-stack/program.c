/* A stack with a flag that says whether something is on it, set too early. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[3], top, has_some;

static void *push(void *unused) {
  for (int i = 0; i < 3; i++) {
#ifdef BUG
    has_some = 1; // cause
#endif
    pthread_mutex_lock(&lock);
    stack[top++] = i;
    has_some = 1;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *pop(void *unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    if (has_some) { // cause
      assert(top > 0);
      top--;
      has_some = top > 0;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, push, 0);
  pthread_create(&b, 0, pop, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
