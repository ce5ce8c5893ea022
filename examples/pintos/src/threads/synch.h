#ifndef THREADS_SYNCH_H
#define THREADS_SYNCH_H

#include <list.h>

struct thread;

struct semaphore {
  unsigned value;
  struct list waiters;
};

void sema_init(struct semaphore *sema, unsigned value);
void sema_down(struct semaphore *sema);
void sema_up(struct semaphore *sema);

struct lock {
  struct thread *holder;
  struct semaphore semaphore;
  /* Among the locks of its holder. */
  struct list_elem elem;
};

void lock_init(struct lock *lock);
void lock_acquire(struct lock *lock);
void lock_release(struct lock *lock);
/* The thread has its own priority, or what is donated to it through the locks that it still holds. */
void lock_restore_priority(struct thread *thread);

struct condition {
  struct list waiters;
};

void cond_init(struct condition *cond);
void cond_wait(struct condition *cond, struct lock *lock);
void cond_signal(struct condition *cond, struct lock *lock);
void cond_broadcast(struct condition *cond, struct lock *lock);

#endif
