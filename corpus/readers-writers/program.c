/* First reader takes the write lock after counting outside the mutex. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t wrt, mutex; static int readcount, data; static int writing;
static void *writer(void *a) { sem_wait(&wrt); writing = 1; data++; writing = 0; sem_post(&wrt); return 0; }
static void *reader(void *a) {
#ifndef BUG
  sem_wait(&mutex);
#endif
  readcount++;
  if (readcount == 1) sem_wait(&wrt);
#ifndef BUG
  sem_post(&mutex);
#endif
  assert(!writing);
#ifndef BUG
  sem_wait(&mutex);
#endif
  readcount--;
  if (readcount == 0) sem_post(&wrt);
#ifndef BUG
  sem_post(&mutex);
#endif
  return 0;
}
int main(void) {
  pthread_t r[2], w;
  sem_init(&wrt, 0, 1); sem_init(&mutex, 0, 1);
  pthread_create(&w, 0, writer, 0);
  for (int i = 0; i < 2; i++) pthread_create(&r[i], 0, reader, 0);
  pthread_join(w, 0);
  for (int i = 0; i < 2; i++) pthread_join(r[i], 0);
}
