/*
 * The lower half of Pintos on one processor: interrupts, context switch, pages, and what stops the kernel. All threads but
 * the one that runs wait for their turn, so that the only thing that can come at any time is an interrupt. A device asks
 * for one; the thread that runs takes it before its next access to memory, as a processor does before its next
 * instruction: in its own context, unless interrupts are off.
 */
#include "threads/interrupt.h"
#include "threads/palloc.h"
#include "threads/switch.h"
#include "threads/thread.h"

#include <faultline.h>
#include <faultline_threads.h>
#include <stdarg.h>
#include <stdint.h>

/* What is not in the headers of Pintos. */
int snprintf(char *buffer, __SIZE_TYPE__ size, const char *format, ...);
int vsnprintf(char *buffer, __SIZE_TYPE__ size, const char *format, va_list);
void *aligned_alloc(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size);
void free(void *block);
int sem_init(void *semaphore, int is_shared, unsigned value);
int sem_post(void *semaphore);
int sem_wait(void *semaphore);
__attribute__((noreturn)) void __assert_fail(const char *text, const char *file, int line, const char *function);
void timer_init(void);
/* Where a thread has its stack pointer; defined in thread.c, for switch.S. */
extern uint32_t thread_stack_ofs;
/* One of these: the name has changed over the years. */
__attribute__((weak)) void thread_schedule_tail(struct thread *previous);
__attribute__((weak)) void schedule_tail(struct thread *previous);

/* A macro elsewhere, since what programs do must be seen. */
#undef no_sanitize
/* Neither a place where an interrupt is taken nor seen by other threads: registers of the processor. */
#define REGISTERS __attribute__((no_sanitize("coverage", "thread")))
/* Seen by other threads, and still no place where an interrupt is taken. */
#define DEVICE __attribute__((no_sanitize("coverage")))

#define PAGE 4096
#define TIMER 0x20
#define MOST_THREADS 64
/* A thread that has gone on for so long without a tick gets one, or whoever waits for time to go by would for ever. */
#define PATIENCE 400
/* Nobody has been woken for so many ticks: nobody will be. */
#define LONGEST_IDLE 30
/* More ticks than any time slice. */
#define LONGEST_SLICE 100

/* Interrupts are off when threads are switched, so that each thread has its own. */
static _Thread_local struct thread *page;
static _Thread_local bool is_enabled, is_handling, yields_on_return;
static _Thread_local int accesses, idle_ticks;
/* Here this thread waits until it is run again. */
static _Thread_local struct turn *turn;

static struct turn {
  int semaphore[8];
  char name[32];
} turns[MOST_THREADS];
static int turn_count;

/* Whoever ran before the thread that runs now. */
static struct thread *switched_from;
static bool has_main_ended;

static intr_handler_func *handlers[256];

/* What devices have asked for and nobody has taken yet: ticks, and time slices that end. */
enum { TICK = 1, SLICE = 0x100 };
static int wanted;

static REGISTERS void take_interrupt(bool is_slice) {
  struct intr_frame frame = {.vec_no = TIMER};
  is_enabled = false;
  is_handling = true;
  yields_on_return = false;
  accesses = 0;
  int ticks = 0;
  do handlers[TIMER](&frame);
  while (is_slice && !yields_on_return && ++ticks < LONGEST_SLICE);
  is_handling = false;
  if (yields_on_return) thread_yield();
  is_enabled = true;
}

static DEVICE int look(void) { return __atomic_load_n(&wanted, __ATOMIC_SEQ_CST); }
static DEVICE void has_taken(int what) { __atomic_fetch_sub(&wanted, what, __ATOMIC_SEQ_CST); }
static DEVICE void want(int what) { __atomic_fetch_add(&wanted, what, __ATOMIC_SEQ_CST); }

static REGISTERS void take_interrupts(void) {
  if (!is_enabled || handlers[TIMER] == 0) return;
  int what = look();
  if (what != 0) {
    what = what >= SLICE ? SLICE : TICK;
    has_taken(what);
    take_interrupt(what == SLICE);
  }
  if (++accesses > PATIENCE) take_interrupt(false);
}

/* The compiler calls these before each access to memory. */
#define ACCESS(kind, size, type) \
  REGISTERS void __sanitizer_cov_##kind##size(type *address) { \
    (void)address; \
    take_interrupts(); \
  }
ACCESS(load, 1, uint8_t)
ACCESS(load, 2, uint16_t)
ACCESS(load, 4, uint32_t)
ACCESS(load, 8, uint64_t)
ACCESS(load, 16, void)
ACCESS(store, 1, uint8_t)
ACCESS(store, 2, uint16_t)
ACCESS(store, 4, uint32_t)
ACCESS(store, 8, uint64_t)
ACCESS(store, 16, void)

/* Interrupts: threads/interrupt.c */

REGISTERS enum intr_level intr_get_level(void) { return is_enabled ? INTR_ON : INTR_OFF; }
REGISTERS enum intr_level intr_set_level(enum intr_level level) {
  return level == INTR_ON ? intr_enable() : intr_disable();
}
REGISTERS enum intr_level intr_enable(void) {
  enum intr_level before = intr_get_level();
  if (is_handling) debug_panic(__FILE__, __LINE__, __func__, "interrupts are enabled in an interrupt handler");
  is_enabled = true;
  take_interrupts();
  return before;
}
REGISTERS enum intr_level intr_disable(void) {
  take_interrupts();
  enum intr_level before = intr_get_level();
  is_enabled = false;
  return before;
}
REGISTERS bool intr_context(void) { return is_handling; }
REGISTERS void intr_yield_on_return(void) {
  if (!is_handling) debug_panic(__FILE__, __LINE__, __func__, "intr_yield_on_return outside of a handler");
  yields_on_return = true;
}
void intr_init(void) {}
void intr_register_ext(uint8_t vector, intr_handler_func *handler, const char *name) {
  (void)name;
  handlers[vector] = handler;
}
void intr_register_int(uint8_t vector, int level, enum intr_level interrupts, intr_handler_func *handler,
                       const char *name) {
  (void)vector, (void)level, (void)interrupts, (void)handler, (void)name;
}
void intr_dump_frame(const struct intr_frame *frame) { (void)frame; }
const char *intr_name(uint8_t vector) { return vector == TIMER ? "8254 Timer" : "unknown"; }
void pit_configure_channel(int channel, int mode, int frequency) { (void)channel, (void)mode, (void)frequency; }

/* Instructions in the files of the tree. */

REGISTERS void *pintos_stack_pointer(void) { return (char *)page + PAGE - 4; }

/* The processor does nothing until the next interrupt. */
static void halt(void) {
  static int nothing[8];
  is_enabled = true;
  if (has_main_ended) faultline_vanish();
  if (++idle_ticks > LONGEST_IDLE) {
    faultline_name(nothing, sizeof nothing, "somebody to be woken");
    sem_init(nothing, 0, 0);
    sem_wait(nothing);
  }
  take_interrupts();
  take_interrupt(false);
}

int pintos_instruction(int disables, int enables, int halts) {
  if (disables) intr_disable();
  if (halts) halt();
  else if (enables) intr_enable();
  return 0;
}

/* The context switch: threads/switch.S. The word `ebx` of a frame that was left has whose turn it is then. */

static void resumes(void) {}
void switch_entry(void) {}

static struct switch_threads_frame *frame_of(struct thread *thread) {
  return *(struct switch_threads_frame **)((char *)thread + thread_stack_ofs);
}

static void take_turn(struct thread *thread) {
  page = thread;
  turn = &turns[turn_count++];
  snprintf(turn->name, sizeof turn->name, "the turn of %s", thread->name);
  faultline_name(turn->semaphore, sizeof turn->semaphore, turn->name);
  sem_init(turn->semaphore, 0, 0);
}

static void *begin(void *argument) {
  struct switch_threads_frame *frame = frame_of(argument);
  struct switch_entry_frame *entry = (struct switch_entry_frame *)(frame + 1);
  void **kernel_thread = (void **)(entry + 1);
  void (*function)(void *, void *) = (void (*)(void *, void *))entry->eip;
  take_turn(argument);
  faultline_name_thread(page->name);
  (thread_schedule_tail ? thread_schedule_tail : schedule_tail)(switched_from);
  function(kernel_thread[1], kernel_thread[2]);
  debug_panic(__FILE__, __LINE__, __func__, "a thread has returned from its first function");
}

struct thread *switch_threads(struct thread *current, struct thread *next) {
  struct switch_threads_frame *mine = (struct switch_threads_frame *)((char *)current + PAGE) - 2;
  struct switch_threads_frame *other = frame_of(next);
  if (current != page) debug_panic(__FILE__, __LINE__, __func__, "switch_threads: CUR does not run");
  bool is_over = current->status == THREAD_DYING;
  mine->eip = resumes;
  mine->ebx = (uint32_t)turn;
  *(struct switch_threads_frame **)((char *)current + thread_stack_ofs) = mine;
  switched_from = current;
  if (is_over && turn == &turns[0]) has_main_ended = true;
  idle_ticks = 0;
  if (other->eip == switch_entry) faultline_thread_fork(0, begin, next);
  else sem_post(((struct turn *)other->ebx)->semaphore);
  if (is_over) faultline_vanish();
  sem_wait(turn->semaphore);
  return switched_from;
}

/* Pages: threads/palloc.c. Each is a block of its own, so that what is used after it was freed is noticed. */

void palloc_init(__SIZE_TYPE__ limit) { (void)limit; }
void *palloc_get_multiple(enum palloc_flags flags, __SIZE_TYPE__ count) {
  char *pages = aligned_alloc(PAGE, count * PAGE);
  __builtin_memset(pages, flags & PAL_ZERO ? 0 : 0xcc, count * PAGE);
  return pages;
}
void *palloc_get_page(enum palloc_flags flags) { return palloc_get_multiple(flags, 1); }
void palloc_free_multiple(void *pages, __SIZE_TYPE__ count) {
  (void)count;
  free(pages);
}
void palloc_free_page(void *page) { free(page); }

/* What the libraries of C have not, or not in a way that is seen: lib/string.c */

__SIZE_TYPE__ strlcpy(char *to, const char *from, __SIZE_TYPE__ size) {
  __SIZE_TYPE__ length = 0;
  for (; from[length]; length++)
    if (length + 1 < size) to[length] = from[length];
  if (size > 0) to[length < size ? length : size - 1] = 0;
  return length;
}

/* Trees of later projects have these in their threads, too, for processes that there are none of here. */
/* Under names of our own: headers of the tree may declare them with other types. */
#define NOT_HERE(name) \
  __attribute__((weak)) void own_##name(void *unused) __asm(#name); \
  void own_##name(void *unused) { (void)unused; }
NOT_HERE(file_close)
NOT_HERE(file_allow_write)
NOT_HERE(file_deny_write)
NOT_HERE(dir_close)
NOT_HERE(pagedir_activate)

/* What stops the kernel: lib/debug.c */

void debug_panic(const char *file, int line, const char *function, const char *message, ...) {
  static char text[200];
  va_list arguments;
  va_start(arguments, message);
  if (message[0] == 'a' && message[1] == 's') __assert_fail(va_arg(arguments, const char *), file, line, function);
  vsnprintf(text, sizeof text, message, arguments);
  __assert_fail(text, file, line, function);
}
void debug_backtrace(void) {}
void debug_backtrace_all(void) {}

/* Devices. */

static void *tick(void *times) {
  faultline_name_thread("timer");
  for (int i = 0; i < (int)times; i++) want(TICK);
  faultline_vanish();
}
static void *slice(void *times) {
  faultline_name_thread("end of a time slice");
  for (int i = 0; i < (int)times; i++) want(SLICE);
  faultline_vanish();
}

void pintos_boot(int ticks, int slices) {
  page = palloc_get_page(PAL_ZERO);
  thread_init();
  take_turn(page);
  timer_init();
  thread_start();
  pintos_interrupts(ticks, slices);
}

void pintos_interrupts(int ticks, int slices) {
  faultline_name(&wanted, sizeof wanted, "the interrupt line");
  if (slices > 0) faultline_thread_fork(0, slice, (void *)slices);
  if (ticks > 0) faultline_thread_fork(0, tick, (void *)ticks);
}
