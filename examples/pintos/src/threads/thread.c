/* Threads, and which of them runs: the one of the highest priority, in turns of TIME_SLICE ticks. */
#include "threads/thread.h"

#include "threads/interrupt.h"
#include "threads/palloc.h"
#include "threads/switch.h"
#include "threads/synch.h"

#include <stdbool.h>
#include <string.h>

#define PGSIZE 4096
#define THREAD_MAGIC 0x1badcafe
#define TIME_SLICE 4

/* Where switch_threads finds the stack pointer of a thread. */
uint32_t thread_stack_ofs = offsetof(struct thread, stack);

static struct list ready_list;
static struct thread *idle_thread, *initial_thread;
static struct lock tid_lock;
static unsigned ticks_in_slice;

static struct thread *running_thread(void) {
  uint32_t *esp;
  asm("mov %%esp, %0" : "=g"(esp));
  return (struct thread *)((uintptr_t)esp & ~(uintptr_t)(PGSIZE - 1));
}

struct thread *thread_current(void) {
  struct thread *thread = running_thread();
  ASSERT(thread->magic == THREAD_MAGIC);
  ASSERT(thread->status == THREAD_RUNNING);
  return thread;
}

static void init_thread(struct thread *thread, const char *name, int priority) {
  memset(thread, 0, sizeof *thread);
  thread->status = THREAD_BLOCKED;
  strlcpy(thread->name, name, sizeof thread->name);
  thread->stack = (uint8_t *)thread + PGSIZE;
  thread->priority = thread->base_priority = priority;
  list_init(&thread->holds);
  thread->magic = THREAD_MAGIC;
}

static tid_t allocate_tid(void) {
  static tid_t next = 1;
  lock_acquire(&tid_lock);
  tid_t tid = next++;
  lock_release(&tid_lock);
  return tid;
}

void thread_init(void) {
  list_init(&ready_list);
  lock_init(&tid_lock);
  initial_thread = running_thread();
  init_thread(initial_thread, "main", PRI_DEFAULT);
  initial_thread->status = THREAD_RUNNING;
  initial_thread->tid = allocate_tid();
}

static void idle(void *started) {
  idle_thread = thread_current();
  sema_up(started);
  for (;;) {
    intr_disable();
    thread_block();
    asm volatile("sti; hlt" : : : "memory");
  }
}

void thread_start(void) {
  struct semaphore started;
  sema_init(&started, 0);
  thread_create("idle", PRI_MIN, idle, &started);
  intr_enable();
  sema_down(&started);
}

void thread_tick(void) {
  if (++ticks_in_slice >= TIME_SLICE) intr_yield_on_return();
}

struct thread *thread_take_highest(struct list *threads) {
  struct list_elem *highest = list_begin(threads);
  for (struct list_elem *at = highest; at != list_end(threads); at = list_next(at))
    if (list_entry(at, struct thread, elem)->priority > list_entry(highest, struct thread, elem)->priority)
      highest = at;
  list_remove(highest);
  return list_entry(highest, struct thread, elem);
}

void thread_schedule_tail(struct thread *previous) {
  struct thread *current = running_thread();
  current->status = THREAD_RUNNING;
  ticks_in_slice = 0;
#ifndef MISTAKE_exit_frees_itself
  if (previous != NULL && previous->status == THREAD_DYING && previous != initial_thread)
    palloc_free_page(previous);
#endif
}

/* Runs whoever is next. Interrupts are off, and the running thread is in some other state by now. */
static void schedule(void) {
  struct thread *current = running_thread();
  struct thread *next = list_empty(&ready_list) ? idle_thread : thread_take_highest(&ready_list);
  struct thread *previous = NULL;
  ASSERT(intr_get_level() == INTR_OFF);
  ASSERT(current->status != THREAD_RUNNING);
  if (current != next) previous = switch_threads(current, next);
  thread_schedule_tail(previous);
}

static void kernel_thread(thread_func *function, void *argument) {
  intr_enable();
  function(argument);
  thread_exit();
}

static void *alloc_frame(struct thread *thread, size_t size) {
  thread->stack -= size;
  return thread->stack;
}

tid_t thread_create(const char *name, int priority, thread_func *function, void *argument) {
  struct thread *thread = palloc_get_page(PAL_ZERO);
  init_thread(thread, name, priority);
  tid_t tid = thread->tid = allocate_tid();

  /* The stack as kernel_thread, switch_entry and switch_threads would have left it. */
  void **call = alloc_frame(thread, 3 * sizeof *call);
  call[1] = (void *)function;
  call[2] = argument;
  struct switch_entry_frame *entry = alloc_frame(thread, sizeof *entry);
  entry->eip = (void (*)(void))kernel_thread;
  struct switch_threads_frame *left = alloc_frame(thread, sizeof *left);
  left->eip = switch_entry;

  thread_unblock(thread);
#ifdef MISTAKE_tid_read_after_start
  thread_give_way();
  return thread->tid;
#endif
#ifndef MISTAKE_create_keeps_running
  thread_give_way();
#endif
  return tid;
}

void thread_exit(void) {
  ASSERT(!intr_context());
  intr_disable();
#ifdef MISTAKE_exit_frees_itself
  struct thread *self = running_thread();
  self->status = THREAD_DYING;
  if (self != initial_thread) palloc_free_page(self);
#else
  thread_current()->status = THREAD_DYING;
#endif
  schedule();
  PANIC("a thread that has ended goes on");
}

void thread_block(void) {
  ASSERT(!intr_context());
  ASSERT(intr_get_level() == INTR_OFF);
  thread_current()->status = THREAD_BLOCKED;
  schedule();
}

void thread_unblock(struct thread *thread) {
  enum intr_level level = intr_disable();
  ASSERT(thread->status == THREAD_BLOCKED);
  list_push_back(&ready_list, &thread->elem);
  thread->status = THREAD_READY;
  intr_set_level(level);
}

void thread_yield(void) {
  struct thread *current = thread_current();
  ASSERT(!intr_context());
#ifdef MISTAKE_yield_with_interrupts_on
  if (current != idle_thread) list_push_back(&ready_list, &current->elem);
  enum intr_level level = intr_disable();
#else
  enum intr_level level = intr_disable();
  if (current != idle_thread) list_push_back(&ready_list, &current->elem);
#endif
  current->status = THREAD_READY;
  schedule();
  intr_set_level(level);
}

static bool is_higher_ready(void) {
  int priority = thread_current()->priority;
  for (struct list_elem *at = list_begin(&ready_list); at != list_end(&ready_list); at = list_next(at))
    if (list_entry(at, struct thread, elem)->priority > priority) return true;
  return false;
}

void thread_give_way(void) {
#ifdef MISTAKE_looks_at_ready_list_with_interrupts_on
  bool gives_way = is_higher_ready();
#else
  enum intr_level level = intr_disable();
  bool gives_way = is_higher_ready();
  intr_set_level(level);
#endif
  if (!gives_way) return;
#ifndef MISTAKE_handler_gives_way_at_once
  if (intr_context()) {
    intr_yield_on_return();
    return;
  }
#endif
  thread_yield();
}

int thread_get_priority(void) { return thread_current()->priority; }

void thread_set_priority(int priority) {
  enum intr_level level = intr_disable();
  struct thread *current = thread_current();
  current->base_priority = priority;
  lock_restore_priority(current);
  intr_set_level(level);
#ifndef MISTAKE_set_priority_keeps_running
  thread_give_way();
#endif
}
