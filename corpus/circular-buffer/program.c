/* A circular buffer whose writer announces an element before it is there. */
#include <assert.h>
#include <pthread.h>
#define SIZE 2
#define ELEMENTS 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer[SIZE], first, next, count;

static void *send(void *unused) {
  for (int i = 1, tries = 0; i <= ELEMENTS && tries < 4; tries++) {
    pthread_mutex_lock(&lock);
    if (count < SIZE) {
#ifdef BUG
      count++; // cause
      pthread_mutex_unlock(&lock); // cause
      pthread_mutex_lock(&lock);
      buffer[next] = i;
#else
      buffer[next] = i;
      count++;
#endif
      next = (next + 1) % SIZE;
      i++;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *receive(void *unused) {
  for (int i = 1, tries = 0; i <= ELEMENTS && tries < 4; tries++) {
    pthread_mutex_lock(&lock);
    if (count > 0) {
      assert(buffer[first] == i);
      first = (first + 1) % SIZE;
      count--;
      i++;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, send, 0);
  pthread_create(&b, 0, receive, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
