/* A queue whose ends take turns by a flag; one end forgets the lock while it looks at it. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int queue[2], size, may_take;

static void *put(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
#ifdef BUG
    may_take = 1; // cause
#endif
    queue[size] = i + 10;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    size++;
    may_take = size > 0;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *take(void *unused) {
  pthread_mutex_lock(&lock);
  if (may_take) { // cause
    assert(size > 0);
    size--;
    may_take = size > 0;
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, put, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
