/* Customer looks at the chairs without the lock, and the barber sleeps for ever. */
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#define CHAIRS 1
#define CUSTOMERS 3
static sem_t customers, barbers, mutex; static int waiting; static int served, left, closed;
static void *barber(void *a) {
  for (;;) {
    sem_wait(&customers);
    sem_wait(&mutex);
    if (closed && waiting == 0) { sem_post(&mutex); return 0; }
    waiting--;
    sem_post(&barbers);
    sem_post(&mutex);
  }
}
static void *customer(void *a) {
  sem_wait(&mutex);
  if (waiting < CHAIRS) {
    waiting++;
#ifndef BUG
    sem_post(&customers);
    sem_post(&mutex);
    sem_wait(&barbers);
    sem_wait(&mutex); served++; sem_post(&mutex);
#else
    sem_post(&customers);
    sem_wait(&barbers);
    served++;
    sem_post(&mutex);
#endif
  } else { left++; sem_post(&mutex); }
  return 0;
}
int main(void) {
  pthread_t b, c[CUSTOMERS];
  sem_init(&customers, 0, 0); sem_init(&barbers, 0, 0); sem_init(&mutex, 0, 1);
  pthread_create(&b, 0, barber, 0);
  for (int i = 0; i < CUSTOMERS; i++) pthread_create(&c[i], 0, customer, 0);
  for (int i = 0; i < CUSTOMERS; i++) pthread_join(c[i], 0);
  sem_wait(&mutex); closed = 1; sem_post(&mutex);
  sem_post(&customers);
  pthread_join(b, 0);
  assert(served + left == CUSTOMERS);
}
