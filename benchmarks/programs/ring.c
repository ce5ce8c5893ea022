// A bounded buffer under a mutex and two condition variables: two producers, two consumers.
#include <assert.h>
#include <pthread.h>

#define SIZE 2

static int buffer[SIZE];
static int first, count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;

static void *produce(void *arg) {
  pthread_mutex_lock(&mutex);
  while (count == SIZE) pthread_cond_wait(&not_full, &mutex);
  buffer[(first + count) % SIZE] = 1;
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *consume(void *arg) {
  pthread_mutex_lock(&mutex);
  while (count == 0) pthread_cond_wait(&not_empty, &mutex);
  assert(buffer[first] == 1);
  buffer[first] = 0;
  first = (first + 1) % SIZE;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, i % 2 ? consume : produce, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}
