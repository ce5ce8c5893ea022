/*
 * Threads. What a thread runs on is freed by whoever joins it, once the thread has said, as the last thing that it does,
 * that it needs its stack no more.
 */
#include <cond.h>
#include <mutex.h>
#include <stdlib.h>
#include <syscall.h>
#include <thread.h>

struct thread {
  int tid;
  void *(*function)(void *);
  void *argument;
  char *stack;
  void *status;
  int has_exited;
  /* Set when the thread does not use its stack any more. */
  volatile int is_gone;
  cond_t exits;
  struct thread *next;
};

static mutex_t guard;
static struct thread *threads;
static unsigned stack_size;

/* The guard is held. */
static struct thread **find(int tid) {
  struct thread **at = &threads;
  while (*at != NULL && (*at)->tid != tid) at = &(*at)->next;
  return at;
}

static struct thread *add(void *(*function)(void *), void *argument) {
  struct thread *thread = calloc(1, sizeof *thread);
  thread->function = function;
  thread->argument = argument;
  cond_init(&thread->exits);
  return thread;
}

int thr_init(unsigned int size) {
  stack_size = size;
  mutex_init(&guard);
  struct thread *self = add(NULL, NULL);
  self->tid = gettid();
  self->next = threads;
  threads = self;
  return 0;
}

static void *begin(void *argument) {
  struct thread *self = argument;
#ifndef MISTAKE_id_used_before_published
  /* Until its creator has entered it into the list. */
  mutex_lock(&guard);
  mutex_unlock(&guard);
#endif
  thr_exit(self->function(self->argument));
  return NULL;
}

int thr_create(void *(*func)(void *), void *args) {
  struct thread *thread = add(func, args);
  thread->stack = malloc(stack_size);
#if !defined MISTAKE_list_without_guard && !defined MISTAKE_id_used_before_published
  mutex_lock(&guard);
#endif
  int tid = faultline_thread_fork(thread->stack + stack_size, begin, thread);
  thread->tid = tid;
#ifdef MISTAKE_id_used_before_published
  mutex_lock(&guard);
#endif
  thread->next = threads;
  threads = thread;
#ifndef MISTAKE_list_without_guard
  mutex_unlock(&guard);
#endif
  return tid;
}

int thr_join(int tid, void **statusp) {
  mutex_lock(&guard);
  struct thread *thread = *find(tid);
  if (thread == NULL) {
    mutex_unlock(&guard);
    return -1;
  }
#ifdef MISTAKE_join_always_waits
  cond_wait(&thread->exits, &guard);
#else
  while (!thread->has_exited) cond_wait(&thread->exits, &guard);
#endif
  struct thread **at = find(tid);
  *at = thread->next;
  mutex_unlock(&guard);
  if (statusp != NULL) *statusp = thread->status;
#ifndef MISTAKE_join_frees_stack_in_use
  while (!thread->is_gone) yield(tid);
#endif
#ifndef MISTAKE_exit_frees_own_stack
  free(thread->stack);
#endif
  cond_destroy(&thread->exits);
  free(thread);
  return 0;
}

void thr_exit(void *status) {
  mutex_lock(&guard);
  struct thread *self = *find(gettid());
#if defined MISTAKE_status_after_exit
  self->has_exited = 1;
  cond_signal(&self->exits);
  mutex_unlock(&guard);
  self->status = status;
#else
  self->status = status;
  self->has_exited = 1;
#ifndef MISTAKE_exit_tells_nobody
  cond_signal(&self->exits);
#endif
  mutex_unlock(&guard);
#endif
#if defined MISTAKE_exit_frees_own_stack
  free(self->stack);
#endif
#if defined MISTAKE_gone_too_early
  self->is_gone = 1;
  vanish();
#else
  /* What follows is three instructions of assembly: it needs no stack. */
  faultline_leave_stack();
  faultline_xchg(&self->is_gone, 1);
  vanish();
#endif
}

int thr_getid(void) { return gettid(); }

int thr_yield(int tid) { return yield(tid); }
