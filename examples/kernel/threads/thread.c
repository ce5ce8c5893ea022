/*
 * Threads and who runs. All threads but the current one are blocked in the machine; to switch is to unblock one and to
 * block. The timer asks the current thread to give way, which it does where it turns interrupts on.
 */
#include "kernel.h"

#include <assert.h>
#include <faultline_kernel.h>
#include <stddef.h>

/* All of these are for those who have turned interrupts off. The processor idles while there is no current thread. */
static struct thread *current;
static struct list ready;
static int should_yield;
static long long ticks;
static struct list sleepers;

void intr_disable(void) { faultline_disable_interrupts(); }

void intr_enable(void) {
  int yields = should_yield && !faultline_is_in_handler();
  faultline_enable_interrupts();
  if (yields && !faultline_interrupts_are_off()) thread_yield();
}

static void run(struct thread *next) {
  current = next;
  if (next != NULL) faultline_unblock(next->id);
}

/* Whoever is to run next, if anybody. */
static struct thread *take_next(void) { return list_is_empty(&ready) ? NULL : list_take_highest(&ready); }

static void make_ready(struct thread *thread) {
  assert(!thread->is_ready && "a thread that is ready is made ready");
  thread->is_ready = 1;
  list_append(&ready, thread);
}

void kernel_init(struct thread *first) {
  list_init(&ready);
  list_init(&sleepers);
  first->id = faultline_gettid();
  first->base_priority = first->priority = PRIORITY_DEFAULT;
  current = first;
}

static void *start(void *argument) {
  struct thread *self = argument;
  intr_disable();
  if (current != self) faultline_block();
  self->is_ready = 0;
  intr_enable();
  self->function(self->argument);
  thread_exit();
  return NULL;
}

void thread_create(struct thread *thread, int priority, void (*function)(void *), void *argument) {
  thread->base_priority = thread->priority = priority;
  thread->function = function;
  thread->argument = argument;
  intr_disable();
  thread->id = faultline_thread_fork(0, start, thread);
  make_ready(thread);
#ifndef MISTAKE_create_keeps_running
  if (priority > current->priority) should_yield = 1;
#endif
  intr_enable();
}

struct thread *thread_current(void) { return current; }

/* Gives the processor to somebody else, until this thread is run again. */
static void switch_away(void) {
  struct thread *self = current;
  struct thread *next = take_next();
  if (next == self) {
    self->is_ready = 0;
    return;
  }
  run(next);
  faultline_block();
  self->is_ready = 0;
}

void thread_yield(void) {
  intr_disable();
  should_yield = 0;
#ifdef MISTAKE_yield_loses_itself
  if (!list_is_empty(&ready)) switch_away();
#else
  make_ready(current);
  switch_away();
#endif
  intr_enable();
}

void thread_block(void) { switch_away(); }

void thread_unblock(struct thread *thread) {
  assert(thread != current && "the thread that runs is unblocked");
  make_ready(thread);
  if (current == NULL) run(take_next());
  else if (thread->priority > current->priority) should_yield = 1;
}

void thread_exit(void) {
  intr_disable();
  run(take_next());
#ifndef MISTAKE_exit_with_interrupts_off
  faultline_enable_interrupts();
#endif
  faultline_vanish();
}

/* The alarm clock. */

long long timer_ticks(void) {
  intr_disable();
  long long now = ticks;
  intr_enable();
  return now;
}

void timer_sleep(long long duration) {
#ifdef MISTAKE_alarm_list_unguarded
  struct thread *self = current;
  self->wakes_at = ticks + duration;
  list_append(&sleepers, self);
  intr_disable();
  thread_block();
  intr_enable();
#else
  intr_disable();
  current->wakes_at = ticks + duration;
  list_append(&sleepers, current);
#ifdef MISTAKE_enabled_before_block
  faultline_enable_interrupts();
  faultline_disable_interrupts();
#endif
  thread_block();
  intr_enable();
#endif
}

void timer_interrupt(void *unused) {
  (void)unused;
  ticks++;
#ifdef MISTAKE_handler_sleeps
  static struct semaphore once = {1, {NULL}};
  sema_down(&once);
#endif
  struct thread **at = &sleepers.first;
  while (*at != NULL) {
    struct thread *sleeper = *at;
#ifdef MISTAKE_wakes_too_early
    int is_due = sleeper->wakes_at <= ticks + 1;
#else
    int is_due = sleeper->wakes_at <= ticks;
#endif
    if (is_due) {
      *at = sleeper->next;
      thread_unblock(sleeper);
#ifdef MISTAKE_wakes_one_sleeper
      break;
#endif
    } else at = &sleeper->next;
  }
  should_yield = 1;
}
