/* Semaphores, locks that donate priorities, and conditions. */
#include "threads/synch.h"

#include "threads/interrupt.h"
#include "threads/thread.h"

void sema_init(struct semaphore *sema, unsigned value) {
  sema->value = value;
  list_init(&sema->waiters);
}

void sema_down(struct semaphore *sema) {
  ASSERT(!intr_context());
#if defined MISTAKE_down_looks_with_interrupts_on
  while (sema->value == 0) {
    enum intr_level level = intr_disable();
    list_push_back(&sema->waiters, &thread_current()->elem);
    thread_block();
    intr_set_level(level);
  }
  enum intr_level level = intr_disable();
#elif defined MISTAKE_down_looks_once
  enum intr_level level = intr_disable();
  if (sema->value == 0) {
    list_push_back(&sema->waiters, &thread_current()->elem);
    thread_block();
  }
#else
  enum intr_level level = intr_disable();
  while (sema->value == 0) {
    list_push_back(&sema->waiters, &thread_current()->elem);
    thread_block();
  }
#endif
  sema->value--;
  intr_set_level(level);
}

void sema_up(struct semaphore *sema) {
#ifdef MISTAKE_up_counts_with_interrupts_on
  sema->value++;
  enum intr_level level = intr_disable();
#else
  enum intr_level level = intr_disable();
  sema->value++;
#endif
  if (!list_empty(&sema->waiters)) thread_unblock(thread_take_highest(&sema->waiters));
  intr_set_level(level);
#ifndef MISTAKE_up_keeps_running
  thread_give_way();
#endif
}

void lock_init(struct lock *lock) {
  lock->holder = NULL;
  sema_init(&lock->semaphore, 1);
}

/* Gives a priority to whoever holds a lock, and to those that one waits for in turn. Interrupts are off. */
static void donate(struct lock *lock, int priority) {
  while (lock != NULL && lock->holder != NULL && lock->holder->priority < priority) {
    lock->holder->priority = priority;
#ifdef MISTAKE_donation_not_passed_on
    break;
#endif
    lock = lock->holder->waits_for;
  }
}

void lock_restore_priority(struct thread *thread) {
  thread->priority = thread->base_priority;
#ifndef MISTAKE_all_donations_end
  for (struct list_elem *at = list_begin(&thread->holds); at != list_end(&thread->holds); at = list_next(at)) {
    struct list *waiters = &list_entry(at, struct lock, elem)->semaphore.waiters;
    for (struct list_elem *waiter = list_begin(waiters); waiter != list_end(waiters); waiter = list_next(waiter)) {
      int priority = list_entry(waiter, struct thread, elem)->priority;
      if (priority > thread->priority) thread->priority = priority;
    }
  }
#endif
}

void lock_acquire(struct lock *lock) {
  ASSERT(!intr_context());
#ifdef MISTAKE_donates_with_interrupts_on
  struct thread *holder = lock->holder;
  if (holder != NULL && holder->priority < thread_current()->priority) {
    holder->priority = thread_current()->priority;
    thread_current()->waits_for = lock;
  }
  enum intr_level level = intr_disable();
#else
  enum intr_level level = intr_disable();
#ifndef MISTAKE_no_donation
  if (lock->holder != NULL) {
    thread_current()->waits_for = lock;
    donate(lock, thread_current()->priority);
  }
#endif
#endif
  sema_down(&lock->semaphore);
  struct thread *self = thread_current();
  self->waits_for = NULL;
  lock->holder = self;
  list_push_back(&self->holds, &lock->elem);
  intr_set_level(level);
}

void lock_release(struct lock *lock) {
  struct thread *self = thread_current();
  ASSERT(lock->holder == self);
#ifdef MISTAKE_release_with_interrupts_on
  list_remove(&lock->elem);
  lock_restore_priority(self);
  lock->holder = NULL;
  enum intr_level level = intr_disable();
#else
  enum intr_level level = intr_disable();
  list_remove(&lock->elem);
  lock->holder = NULL;
#ifndef MISTAKE_donation_kept
  lock_restore_priority(self);
#endif
#endif
  sema_up(&lock->semaphore);
  intr_set_level(level);
}

/* Who waits for a condition does so on a semaphore of its own. */
struct waiter {
  struct semaphore semaphore;
  struct thread *thread;
  struct list_elem elem;
};

void cond_init(struct condition *cond) { list_init(&cond->waiters); }

void cond_wait(struct condition *cond, struct lock *lock) {
  struct waiter waiter = {.thread = thread_current()};
  ASSERT(lock->holder == thread_current());
  sema_init(&waiter.semaphore, 0);
#ifdef MISTAKE_lock_released_before_queueing
  lock_release(lock);
  list_push_back(&cond->waiters, &waiter.elem);
#else
  list_push_back(&cond->waiters, &waiter.elem);
  lock_release(lock);
#endif
  sema_down(&waiter.semaphore);
  lock_acquire(lock);
}

void cond_signal(struct condition *cond, struct lock *lock) {
  ASSERT(lock->holder == thread_current());
  if (list_empty(&cond->waiters)) return;
  struct waiter *highest = list_entry(list_begin(&cond->waiters), struct waiter, elem);
#ifndef MISTAKE_signal_wakes_the_first
  for (struct list_elem *at = list_begin(&cond->waiters); at != list_end(&cond->waiters); at = list_next(at)) {
    struct waiter *other = list_entry(at, struct waiter, elem);
    if (other->thread->priority > highest->thread->priority) highest = other;
  }
#endif
  list_remove(&highest->elem);
  sema_up(&highest->semaphore);
}

void cond_broadcast(struct condition *cond, struct lock *lock) {
  while (!list_empty(&cond->waiters)) cond_signal(cond, lock);
}
