/* Semaphores, locks that donate priorities, and conditions. */
#include "kernel.h"

#include <assert.h>
#include <stddef.h>

void sema_init(struct semaphore *sema, int value) {
  sema->value = value;
  list_init(&sema->waiters);
}

void sema_down(struct semaphore *sema) {
#if defined MISTAKE_check_with_interrupts_on
  while (sema->value == 0) {
    intr_disable();
    list_append(&sema->waiters, thread_current());
    thread_block();
    intr_enable();
  }
  intr_disable();
#elif defined MISTAKE_down_looks_once
  intr_disable();
  if (sema->value == 0) {
    list_append(&sema->waiters, thread_current());
    thread_block();
  }
#else
  intr_disable();
  while (sema->value == 0) {
    list_append(&sema->waiters, thread_current());
    thread_block();
  }
#endif
  assert(sema->value > 0 && "a semaphore below zero");
  sema->value--;
  intr_enable();
}

void sema_up(struct semaphore *sema) {
#ifdef MISTAKE_up_with_interrupts_on
  sema->value++;
  intr_disable();
#else
  intr_disable();
  sema->value++;
#endif
#ifndef MISTAKE_up_wakes_nobody
  if (!list_is_empty(&sema->waiters)) thread_unblock(list_take_highest(&sema->waiters));
#endif
#ifdef MISTAKE_up_enables_always
  intr_enable();
#endif
  intr_enable();
}

void lock_init(struct lock *lock) {
  lock->holder = NULL;
  sema_init(&lock->free, 1);
}

/* Gives a priority to whoever holds a lock, and to those it waits for in turn. Interrupts are off. */
static void donate(struct lock *lock, int priority) {
  while (lock != NULL && lock->holder != NULL && lock->holder->priority < priority) {
    lock->holder->priority = priority;
#ifdef MISTAKE_donation_not_passed_on
    break;
#endif
    lock = lock->holder->waits_for;
  }
}

/* The highest priority that is still donated. Interrupts are off. */
static int priority_left(const struct thread *thread) {
  int priority = thread->base_priority;
#ifndef MISTAKE_all_donations_end
  for (struct lock *lock = thread->holds; lock != NULL; lock = lock->next_held)
    for (struct thread *waiter = lock->free.waiters.first; waiter != NULL; waiter = waiter->next)
      if (waiter->priority > priority) priority = waiter->priority;
#endif
  return priority;
}

void lock_acquire(struct lock *lock) {
  intr_disable();
  struct thread *self = thread_current();
#ifdef MISTAKE_spins_with_interrupts_off
  while (lock->holder != NULL) continue;
#endif
#ifndef MISTAKE_no_donation
  if (lock->holder != NULL) {
    self->waits_for = lock;
    donate(lock, self->priority);
  }
#endif
  sema_down(&lock->free);
  self->waits_for = NULL;
  lock->holder = self;
  lock->next_held = self->holds;
  self->holds = lock;
  intr_enable();
}

void lock_release(struct lock *lock) {
  intr_disable();
  struct thread *self = thread_current();
  assert(lock->holder == self && "a lock is released by somebody else");
  struct lock **at = &self->holds;
  while (*at != lock) at = &(*at)->next_held;
  *at = lock->next_held;
  lock->holder = NULL;
#ifndef MISTAKE_donation_kept
  self->priority = priority_left(self);
#endif
  sema_up(&lock->free);
  intr_enable();
}

void cond_init(struct condition *cond) { list_init(&cond->waiters); }

void cond_wait(struct condition *cond, struct lock *lock) {
#ifdef MISTAKE_lock_released_before_queueing
  lock_release(lock);
  intr_disable();
  list_append(&cond->waiters, thread_current());
  thread_block();
  intr_enable();
#else
  intr_disable();
  list_append(&cond->waiters, thread_current());
  lock_release(lock);
  thread_block();
  intr_enable();
#endif
  lock_acquire(lock);
}

void cond_signal(struct condition *cond) {
  intr_disable();
  if (!list_is_empty(&cond->waiters)) thread_unblock(list_take_highest(&cond->waiters));
  intr_enable();
}
