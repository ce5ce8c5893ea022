// expect: verified
// Look and add under one lock.
#include <pthread.h>
#include <stdlib.h>

enum { capacity = 8 };

static char *text;
static int length = capacity - 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *arg) {
  pthread_mutex_lock(&mutex);
  if (length < capacity) text[length++] = '!';
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  text = malloc(capacity);
  pthread_t a, b;
  pthread_create(&a, NULL, append, NULL);
  pthread_create(&b, NULL, append, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(text);
}
