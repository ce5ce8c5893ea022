// expect: bug heap-overflow
// Both find room for one more character, and both add one.
#include <pthread.h>
#include <stdlib.h>

enum { capacity = 8 };

static char *text;
static int length = capacity - 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *arg) {
  if (length == capacity) return arg;  // cause
  pthread_mutex_lock(&mutex);
  text[length++] = '!';  // cause
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
