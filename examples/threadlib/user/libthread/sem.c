/* Semaphores, from a mutex and a condition variable. */
#include <cond.h>
#include <mutex.h>
#include <sem.h>

int sem_init(sem_t *sem, int count) {
  sem->count = count;
  cond_init(&sem->is_positive);
  return mutex_init(&sem->guard);
}

void sem_destroy(sem_t *sem) {
  cond_destroy(&sem->is_positive);
  mutex_destroy(&sem->guard);
}

void sem_wait(sem_t *sem) {
  mutex_lock(&sem->guard);
#ifdef MISTAKE_semaphore_below_zero
  if (sem->count == 0) cond_wait(&sem->is_positive, &sem->guard);
#else
  while (sem->count == 0) cond_wait(&sem->is_positive, &sem->guard);
#endif
  sem->count--;
  mutex_unlock(&sem->guard);
}

void sem_signal(sem_t *sem) {
#ifdef MISTAKE_count_without_guard
  sem->count++;
  mutex_lock(&sem->guard);
#else
  mutex_lock(&sem->guard);
  sem->count++;
#endif
#ifdef MISTAKE_signals_only_from_zero
  if (sem->count == 1) cond_signal(&sem->is_positive);
#else
  cond_signal(&sem->is_positive);
#endif
  mutex_unlock(&sem->guard);
}
