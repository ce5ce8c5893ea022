// In the style of SV-COMP: the error is reached if both adders finish before the checker looks.
#include <assert.h>
#include <pthread.h>

void reach_error(void) { assert(0); }

pthread_mutex_t mutex;
int data = 0;

void *add(void *arg) {
  pthread_mutex_lock(&mutex);
  data += (int)(long)arg;
  pthread_mutex_unlock(&mutex);
  return 0;
}

void *look(void *arg) {
  pthread_mutex_lock(&mutex);
  if (data >= 3) {
  ERROR: { reach_error(); }
  }
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main() {
  pthread_t t1, t2, t3;
  pthread_mutex_init(&mutex, 0);
  pthread_create(&t1, 0, add, (void *)1);
  pthread_create(&t2, 0, add, (void *)LAST);
  pthread_create(&t3, 0, look, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  return 0;
}
