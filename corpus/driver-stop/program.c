/* A driver: a request checks whether the device is being stopped, and then uses it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int is_stopping, pending = 1;
static int is_stopped;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;

static void release(void) {
  if (atomic_fetch_sub(&pending, 1) != 1) return;
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&idle);
  pthread_mutex_unlock(&lock);
}

static int acquire(void) {
#ifdef BUG
  if (is_stopping) return 0; // cause
  pending++; // cause
#else
  pending++;
  if (is_stopping) {
    release();
    return 0;
  }
#endif
  return 1;
}

static void *request(void *unused) {
  if (!acquire()) return unused;
  pthread_mutex_lock(&lock);
  assert(!is_stopped);
  pthread_mutex_unlock(&lock);
  release();
  return unused;
}

static void *stop(void *unused) {
  is_stopping = 1;
  release();
  pthread_mutex_lock(&lock);
  while (pending > 0) pthread_cond_wait(&idle, &lock);
  is_stopped = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, request, 0);
  pthread_create(&b, 0, stop, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
