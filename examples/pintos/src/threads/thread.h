#ifndef THREADS_THREAD_H
#define THREADS_THREAD_H

#include <debug.h>
#include <list.h>
#include <stdint.h>

enum thread_status { THREAD_RUNNING, THREAD_READY, THREAD_BLOCKED, THREAD_DYING };

typedef int tid_t;
#define TID_ERROR ((tid_t)-1)

#define PRI_MIN 0
#define PRI_DEFAULT 31
#define PRI_MAX 63

struct lock;

/* At the beginning of its page; the stack comes down from the end. */
struct thread {
  tid_t tid;
  enum thread_status status;
  char name[16];
  uint8_t *stack;
  /* With what was donated, and without. */
  int priority, base_priority;
  int64_t wakes_at;
  struct lock *waits_for;
  struct list holds;
  /* In the run queue, among the waiters of a semaphore, or among those who sleep. */
  struct list_elem elem;
  unsigned magic;
};

typedef void thread_func(void *argument);

void thread_init(void);
void thread_start(void);
void thread_tick(void);
tid_t thread_create(const char *name, int priority, thread_func *function, void *argument);
struct thread *thread_current(void);
__attribute__((noreturn)) void thread_exit(void);
void thread_block(void);
void thread_unblock(struct thread *thread);
void thread_yield(void);
/* Gives way if somebody of higher priority is ready; a handler does so when it returns. */
void thread_give_way(void);
/* Takes the first thread of the highest priority out of a list that is not empty. */
struct thread *thread_take_highest(struct list *threads);

int thread_get_priority(void);
void thread_set_priority(int priority);

#endif
