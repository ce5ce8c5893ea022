/* A channel of one place, closed while a sender waits: the sender takes the close for room. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int place, is_full = 1, is_closed, sent;

static int send(int value) {
  pthread_mutex_lock(&lock);
  while (is_full && !is_closed) pthread_cond_wait(&changed, &lock);
#ifndef BUG
  if (is_closed) {
    pthread_mutex_unlock(&lock);
    return 0;
  }
#endif
  assert(!is_closed); // cause
  place = value;
  is_full = 1;
  sent++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 1;
}

static void *sender(void *unused) {
  send(5);
  return unused;
}

static void *receiver(void *unused) {
  pthread_mutex_lock(&lock);
  is_full = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  is_closed = 1; // cause
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, sender, 0);
  pthread_create(&b, 0, receiver, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
