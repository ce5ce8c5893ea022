/* Three threads add to a sum in any order; one of them takes a partial sum for the whole. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, arrived;

static void *add(void *amount) {
  pthread_mutex_lock(&lock);
  sum += (int)(long)amount;
  arrived++;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *look(void *unused) {
  pthread_mutex_lock(&lock);
#ifdef BUG
  if (sum >= 2) assert(sum == 3); // cause
#else
  if (arrived == 2) assert(sum == 3);
#endif
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, add, (void *)1L);
  pthread_create(&threads[1], 0, add, (void *)2L);
  pthread_create(&threads[2], 0, look, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
