/* Reader-writer locks. Writers who wait come before readers who come later. */
#include <cond.h>
#include <mutex.h>
#include <rwlock.h>

int rwlock_init(rwlock_t *rwlock) {
  rwlock->readers = 0;
  rwlock->writers_waiting = 0;
  rwlock->is_written = 0;
  cond_init(&rwlock->can_read);
  cond_init(&rwlock->can_write);
  return mutex_init(&rwlock->guard);
}

void rwlock_destroy(rwlock_t *rwlock) {
  cond_destroy(&rwlock->can_read);
  cond_destroy(&rwlock->can_write);
  mutex_destroy(&rwlock->guard);
}

static void lock_to_read(rwlock_t *rwlock) {
#ifdef MISTAKE_reader_beside_writer
  while (rwlock->writers_waiting > 0) cond_wait(&rwlock->can_read, &rwlock->guard);
#else
  while (rwlock->is_written || rwlock->writers_waiting > 0) cond_wait(&rwlock->can_read, &rwlock->guard);
#endif
  rwlock->readers++;
}

static void lock_to_write(rwlock_t *rwlock) {
  rwlock->writers_waiting++;
#ifdef MISTAKE_writer_looks_once
  if (rwlock->is_written || rwlock->readers > 0) cond_wait(&rwlock->can_write, &rwlock->guard);
#else
  while (rwlock->is_written || rwlock->readers > 0) cond_wait(&rwlock->can_write, &rwlock->guard);
#endif
#ifndef MISTAKE_writer_still_waits
  rwlock->writers_waiting--;
#endif
  rwlock->is_written = 1;
}

void rwlock_lock(rwlock_t *rwlock, int type) {
  mutex_lock(&rwlock->guard);
  if (type == RWLOCK_READ) lock_to_read(rwlock);
  else lock_to_write(rwlock);
  mutex_unlock(&rwlock->guard);
}

void rwlock_unlock(rwlock_t *rwlock) {
  mutex_lock(&rwlock->guard);
  if (rwlock->is_written) rwlock->is_written = 0;
  else rwlock->readers--;
  if (rwlock->readers == 0) {
    if (rwlock->writers_waiting > 0) cond_signal(&rwlock->can_write);
#ifdef MISTAKE_unlock_wakes_one_reader
    else cond_signal(&rwlock->can_read);
#else
    else cond_broadcast(&rwlock->can_read);
#endif
  }
  mutex_unlock(&rwlock->guard);
}

void rwlock_downgrade(rwlock_t *rwlock) {
#ifdef MISTAKE_downgrade_lets_go
  rwlock_unlock(rwlock);
  rwlock_lock(rwlock, RWLOCK_READ);
#else
  mutex_lock(&rwlock->guard);
  rwlock->is_written = 0;
  rwlock->readers++;
#if defined MISTAKE_downgrade_wakes_nobody
#elif defined MISTAKE_downgrade_lets_writer_in
  rwlock->readers--;
  cond_signal(&rwlock->can_write);
  mutex_unlock(&rwlock->guard);
  mutex_lock(&rwlock->guard);
  rwlock->readers++;
#else
  cond_broadcast(&rwlock->can_read);
#endif
  mutex_unlock(&rwlock->guard);
#endif
}
