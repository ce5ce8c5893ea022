/*
 * What a kernel offers to those who write a thread library: threads without anything around them, and a way to sleep and
 * to be woken. docs/thread-libraries.md has examples of everything here.
 */
#ifndef FAULTLINE_THREADS_H
#define FAULTLINE_THREADS_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Begins a thread that calls start(argument). `stack_top` is the address after the last byte of its stack. The thread uses
 * its stack in every call below and as long as it has not vanished: memory that was freed by then is used after free.
 * What the compiler keeps on the stack lies elsewhere, so nothing is overwritten. 0 for a thread without a stack of the
 * program's. Returns the id of the thread. `start`
 * must not return: a thread ends by faultline_vanish.
 */
int faultline_thread_fork(void *stack_top, void *(*start)(void *), void *argument);

/* The id of the calling thread: a small positive number, the same in every interleaving; main has 1. */
int faultline_gettid(void);

/*
 * Sleeps until somebody calls faultline_make_runnable, unless *reject is not zero: looking at it and falling asleep are
 * one step. Returns 0.
 */
int faultline_deschedule(const volatile int *reject);

/* Wakes a thread that sleeps in faultline_deschedule. Returns -1 if there is no such thread, or it does not sleep. */
int faultline_make_runnable(int id);

/*
 * Gives way, to anybody. With an id other than -1: returns -1 if there is no such thread (any more), or it sleeps in
 * faultline_deschedule.
 */
int faultline_thread_yield(int id);

/* Lets some ticks of ten milliseconds pass. Returns -1 if their number is negative. */
int faultline_thread_sleep(int ticks);
unsigned faultline_get_ticks(void);

/* Ends the calling thread. */
__attribute__((noreturn)) void faultline_vanish(void);

/*
 * From here on the calling thread does without its stack until it vanishes, as only assembly can: between giving the
 * stack up for others to free and the end.
 */
void faultline_leave_stack(void);

/* From here on this is the calling thread's stack, as after an instruction that sets the stack pointer; 0: none. */
void faultline_enter_stack(void *stack_top);

/* Atomic instructions; each returns what was there before. */
static inline int faultline_xchg(volatile int *word, int value) {
  return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}
static inline int faultline_xadd(volatile int *word, int amount) {
  return __atomic_fetch_add(word, amount, __ATOMIC_SEQ_CST);
}
static inline int faultline_cmpxchg(volatile int *word, int expected, int value) {
  __atomic_compare_exchange_n(word, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

#ifdef __cplusplus
}
#endif

#endif
