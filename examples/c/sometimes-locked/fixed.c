// expect: verified
// Looked at once.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int is_shared;
static int value;

static void *user(void *arg) {
  int locks = atomic_load(&is_shared);
  if (locks) pthread_mutex_lock(&mutex);
  value = value + 1;
  if (locks) pthread_mutex_unlock(&mutex);
  return arg;
}

static void *sharer(void *arg) {
  atomic_store(&is_shared, 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, sharer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
