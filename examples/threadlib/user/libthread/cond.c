/*
 * Condition variables. Whoever waits queues up, lets the mutex go and sleeps until it has been woken: it may be woken for
 * something else, and it may be told before it sleeps, so it looks whether its turn has come.
 */
#include <cond.h>
#include <mutex.h>
#include <stddef.h>
#include <syscall.h>

int cond_init(cond_t *cv) {
  cv->first = NULL;
  cv->end = &cv->first;
  return mutex_init(&cv->guard);
}

void cond_destroy(cond_t *cv) { mutex_destroy(&cv->guard); }

void cond_wait(cond_t *cv, mutex_t *mp) {
  struct waiter self = {gettid(), 0, NULL};
#ifdef MISTAKE_unlock_before_enqueue
  mutex_unlock(mp);
#endif
  mutex_lock(&cv->guard);
  *cv->end = &self;
  cv->end = &self.next;
#ifndef MISTAKE_unlock_before_enqueue
  mutex_unlock(mp);
#endif
  mutex_unlock(&cv->guard);

#if defined MISTAKE_lost_wakeup
  int never = 0;
  if (!self.is_woken) deschedule(&never);
#elif defined MISTAKE_any_wakeup_counts
  deschedule(&self.is_woken);
#else
  while (!self.is_woken) deschedule(&self.is_woken);
#endif

#ifndef MISTAKE_mutex_not_taken_back
  mutex_lock(mp);
#endif
}

/* Wakes the first who waits; the guard is held. Once woken, a waiter may be gone. */
static void wake_first(cond_t *cv) {
  struct waiter *first = cv->first;
  int tid = first->tid;
  cv->first = first->next;
#ifndef MISTAKE_end_left_behind
  if (cv->first == NULL) cv->end = &cv->first;
#endif
#ifdef MISTAKE_wakes_before_telling
  make_runnable(tid);
  first->is_woken = 1;
#else
  first->is_woken = 1;
  make_runnable(tid);
#endif
}

void cond_signal(cond_t *cv) {
#ifndef MISTAKE_signal_without_guard
  mutex_lock(&cv->guard);
#endif
  if (cv->first != NULL) wake_first(cv);
#ifndef MISTAKE_signal_without_guard
  mutex_unlock(&cv->guard);
#endif
}

void cond_broadcast(cond_t *cv) {
  mutex_lock(&cv->guard);
#ifdef MISTAKE_broadcast_wakes_one
  if (cv->first != NULL) wake_first(cv);
#else
  while (cv->first != NULL) wake_first(cv);
#endif
  mutex_unlock(&cv->guard);
}
