// expect: bug lock-misuse
// The lock is taken only if others are there, and that is looked at twice.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int is_shared;
static int value;

static void *user(void *arg) {
  if (atomic_load(&is_shared)) pthread_mutex_lock(&mutex);  // cause
  value = value + 1;
  if (atomic_load(&is_shared)) pthread_mutex_unlock(&mutex);  // cause
  return arg;
}

static void *sharer(void *arg) {
  atomic_store(&is_shared, 1);  // cause
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, sharer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
