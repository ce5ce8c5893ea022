/*
 * Threads for those who write a thread library (include/faultline_threads.h), on top of threads and semaphores. All that
 * one thread can learn of another goes through semaphores, so that reductions and race detectors know of it.
 */
#include "host.h"
#include "include/faultline_kernel.h"

#include <sched.h>
#include <semaphore.h>
#include <time.h>

/* As many as the machine has; handles count from 1. */
#define FL_MOST_THREADS 256
#define FL_TICK 1e7
/* Where every thread's clock begins; the same as EPOCH in machine/clock.ts. */
#define FL_EPOCH 946684800

static struct fl_bare_thread {
  /* 1 as long as the thread has not vanished. */
  sem_t alive;
  /* 1 while it sleeps, until somebody claims to wake it; then that one posts `wake`. */
  sem_t asleep;
  sem_t wake;
  _Bool is_known;
  char *stack_top;
} fl_bare_threads[FL_MOST_THREADS + 1];

static struct fl_bare_thread *fl_bare_thread(int id) {
  return id >= 1 && id <= FL_MOST_THREADS ? &fl_bare_threads[id] : 0;
}

static void fl_name_semaphore(sem_t *semaphore, const char *what, int id) {
  fl_name_numbered(semaphore, sizeof *semaphore, what, id);
}

static void fl_begin_bare_thread(int id, void *stack_top) {
  struct fl_bare_thread *thread = &fl_bare_threads[id];
  sem_init(&thread->alive, 0, 1);
  sem_init(&thread->asleep, 0, 0);
  sem_init(&thread->wake, 0, 0);
  fl_name_semaphore(&thread->alive, "the life of thread ", id);
  fl_name_semaphore(&thread->asleep, "the sleep of thread ", id);
  fl_name_semaphore(&thread->wake, "the wake-up of thread ", id);
  fl_write(&thread->is_known, sizeof thread->is_known);
  thread->is_known = 1;
  thread->stack_top = stack_top;
}

/* Main is not begun by a fork. Nobody else exists before its first call, so that nothing need be logged. */
static _Bool fl_is_main_known;

static struct fl_bare_thread *fl_this_thread(void) {
  int id = (int)pthread_self();
  if (id == 1 && !fl_is_main_known) {
    fl_is_main_known = 1;
    fl_begin_bare_thread(1, 0);
  }
  return &fl_bare_threads[id];
}

/* A call into the kernel begins: one step, unless the thread has to wait. Every call uses the stack. */
static struct fl_bare_thread *fl_enter_kernel(void) {
  fl_atomic_begin();
  struct fl_bare_thread *self = fl_this_thread();
  /* mutant: uses the stack */
  if (self->stack_top) fl_read(self->stack_top - sizeof(int), sizeof(int));
  return self;
}

static int fl_leave_kernel(int result) {
  fl_atomic_end();
  return result;
}

/* Whether there is or was a thread with that id; another fork could make one. */
static _Bool fl_is_known(struct fl_bare_thread *thread) {
  if (!thread) return 0;
  if (!thread->is_known) fl_read(&thread->is_known, sizeof thread->is_known);
  return thread->is_known;
}

__attribute__((weak)) int faultline_thread_fork(void *stack_top, void *(*start)(void *), void *argument) {
  pthread_t id;
  pthread_attr_t detached;
  fl_enter_kernel();
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_create(&id, &detached, start, argument);
  fl_begin_bare_thread((int)id, stack_top);
  return fl_leave_kernel((int)id);
}

/* A handler is a thread of its own here, and of another thread on a processor: whatever was said would be wrong. */
__attribute__((weak)) int faultline_gettid(void) {
  if (faultline_is_in_handler()) fl_unsupported("faultline_gettid in an interrupt handler");
  return (int)pthread_self();
}

__attribute__((weak)) int faultline_deschedule(const volatile int *reject) {
  struct fl_bare_thread *self = fl_enter_kernel();
  fl_read(reject, sizeof *reject);
  /* mutant: rejects */ if (*reject) return fl_leave_kernel(0);
  /* mutant: sleeps at once */ sem_post(&self->asleep);
  sem_wait(&self->wake);
  return fl_leave_kernel(0);
}

__attribute__((weak)) int faultline_make_runnable(int id) {
  struct fl_bare_thread *thread = fl_bare_thread(id);
  fl_enter_kernel();
  /* mutant: wakes sleepers */
  if (!fl_is_known(thread) || sem_trywait(&thread->asleep) != 0) return fl_leave_kernel(-1);
  /* mutant: wakes */ sem_post(&thread->wake);
  return fl_leave_kernel(0);
}

__attribute__((weak)) int faultline_thread_yield(int id) {
  if (id != -1) {
    struct fl_bare_thread *thread = fl_bare_thread(id);
    fl_enter_kernel();
    _Bool can_run = fl_is_known(thread) && fl_semaphore_value(&thread->alive) && !fl_semaphore_value(&thread->asleep);
    fl_leave_kernel(0);
    if (!can_run) return -1;
  }
  sched_yield();
  return 0;
}

__attribute__((weak)) int faultline_thread_sleep(int ticks) {
  if (ticks < 0) return -1;
  if (ticks > 0) fl_sleep(ticks * FL_TICK);
  return 0;
}

__attribute__((weak)) unsigned faultline_get_ticks(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned)(((double)(now.tv_sec - FL_EPOCH) * 1e9 + (double)now.tv_nsec) / FL_TICK);
}

__attribute__((weak, noreturn)) void faultline_vanish(void) {
  /* mutant: vanish in a region */
  if (faultline_interrupts_are_off()) fl_interrupt_misuse("ends with interrupts off");
  sem_wait(&fl_enter_kernel()->alive);
  fl_leave_kernel(0);
  fl_thread_exit(0);
}

/* The last use of the stack. Only the thread itself looks at where its stack is. */
__attribute__((weak)) void faultline_leave_stack(void) {
  fl_enter_kernel()->stack_top = 0;
  fl_leave_kernel(0);
}

/* The same for a stack that assembly has set: nothing is touched yet. */
__attribute__((weak)) void faultline_enter_stack(void *stack_top) { fl_this_thread()->stack_top = stack_top; }
