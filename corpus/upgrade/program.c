/* Two readers who both want to become writers without giving up what they have. */
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *look_and_change(void *unused) {
  pthread_rwlock_rdlock(&lock);
  int is_small = value < 10;
#ifndef BUG
  pthread_rwlock_unlock(&lock);
#endif
  if (is_small) {
    pthread_rwlock_wrlock(&lock); // cause
    value++;
    pthread_rwlock_unlock(&lock);
  }
#ifdef BUG
  pthread_rwlock_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, look_and_change, 0);
  pthread_create(&b, 0, look_and_change, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
