/* A barrier for more threads than come when one finds nothing to do. */
#include <pthread.h>
static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int work = 1;

static void *share(void *unused) {
  pthread_mutex_lock(&lock);
  int has_some = work > 0;
  if (has_some) work--;
  pthread_mutex_unlock(&lock);
#ifdef BUG
  if (!has_some) return unused; // cause
#endif
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, share, 0);
  pthread_create(&b, 0, share, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
