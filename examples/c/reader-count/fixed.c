// expect: verified
// Counted under the lock that the writer holds.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int readers, is_writing;

static void *reader(void *arg) {
  pthread_mutex_lock(&mutex);
  readers++;
  pthread_mutex_unlock(&mutex);
  assert(!is_writing);
  pthread_mutex_lock(&mutex);
  readers--;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *writer(void *arg) {
  pthread_mutex_lock(&mutex);
  if (readers == 0) {
    is_writing = 1;
    is_writing = 0;
  }
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
