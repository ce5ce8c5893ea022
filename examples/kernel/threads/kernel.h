/* A small kernel for one processor, in the style of Pintos: threads with priorities, locks that donate them, an alarm clock. */
#ifndef KERNEL_H
#define KERNEL_H

#include "list.h"

#define PRIORITY_DEFAULT 31

struct lock;

struct thread {
  int id;
  /* Its own, and with what was donated. */
  int base_priority;
  int priority;
  int is_ready;
  long long wakes_at;
  struct lock *waits_for;
  struct lock *holds;
  struct thread *next;
  void (*function)(void *);
  void *argument;
};

struct semaphore {
  int value;
  struct list waiters;
};

struct lock {
  struct thread *holder;
  struct semaphore free;
  struct lock *next_held;
};

struct condition {
  struct list waiters;
};

/* Threads are zero to begin with. The first call makes the caller the first thread. */
void kernel_init(struct thread *first);
void thread_create(struct thread *thread, int priority, void (*function)(void *), void *argument);
struct thread *thread_current(void);
void thread_yield(void);
void thread_exit(void);
/* With interrupts off. */
void thread_block(void);
void thread_unblock(struct thread *thread);

void sema_init(struct semaphore *sema, int value);
void sema_down(struct semaphore *sema);
void sema_up(struct semaphore *sema);

void lock_init(struct lock *lock);
void lock_acquire(struct lock *lock);
void lock_release(struct lock *lock);

void cond_init(struct condition *cond);
void cond_wait(struct condition *cond, struct lock *lock);
void cond_signal(struct condition *cond);

/* The handler of the timer, and what it is for. */
void timer_interrupt(void *unused);
long long timer_ticks(void);
void timer_sleep(long long ticks);

/* Interrupts off, and on again; both nest. */
void intr_disable(void);
void intr_enable(void);

#endif
