/* For authors of tests. */
#ifndef FAULTLINE_H
#define FAULTLINE_H

#include <__faultline_transactions.h>

#ifdef __cplusplus
extern "C" {
#endif

/* docs/faultline-h.md has examples of everything here. */

/* Any of 0 … count - 1: all are tried. */
int faultline_choose(int count);

/* The thread gives way; switching to another here is no preemption. */
void faultline_yield(void);

/* A preemption point, whatever the points in use. */
void faultline_point(void);

/* What comes after a condition that does not hold is of no interest: the thread stops for ever, and that is no error. */
void faultline_assume(int condition);

/* Nobody else runs in between, unless the thread has to wait: for a lock, for another thread, or for a change. */
void faultline_atomic_begin(void);
void faultline_atomic_end(void);

/*
 * Transactions of software: `FAULTLINE_ATOMICALLY { … }`, or the function, runs as one step of which others see all or
 * nothing. faultline_retry gives it up; it is tried again when something that it has read has changed. Leave the block at
 * its end only.
 */
static __inline__ __attribute__((__unused__)) int fl_begin_block(void) {
  while (fl_xbegin(1) != -1) {}
  return 1;
}
static __inline__ __attribute__((__unused__)) int fl_end_block(void) {
  fl_xend();
  return 0;
}
#define FAULTLINE_ATOMICALLY \
  for (int fl_block = fl_begin_block(); fl_block; fl_block = fl_end_block())
static __inline__ __attribute__((__unused__)) void faultline_atomically(void (*body)(void *), void *argument) {
  fl_begin_block();
  body(argument);
  fl_end_block();
}
static __inline__ __attribute__((__unused__)) void faultline_retry(void) { fl_xabort(0); }

/*
 * From now on, `holds` must return non-zero whenever threads could be switched: it is called again after each step that
 * wrote something it read. It may read shared memory, and call functions that do, but change nothing and not wait.
 */
void faultline_invariant(int (*holds)(void));

/* When the program has ended normally, with all its threads, `holds` must return non-zero. */
void faultline_at_end(int (*holds)(void));

/*
 * Outside of functions, like --within and --without on the command line, which come after these: no preemption points
 * unless the function is on the call stack, or none while it is. The last rule that matches decides.
 */
#define FAULTLINE_WITHIN(function) FAULTLINE_RULE_(1, #function, __COUNTER__)
#define FAULTLINE_WITHOUT(function) FAULTLINE_RULE_(0, #function, __COUNTER__)
#define FAULTLINE_RULE_(accept, name, number) FAULTLINE_RULE__(accept, name, number)
#define FAULTLINE_RULE__(accept, name, number) \
  __attribute__((constructor)) static void faultline_rule_##number(void) { faultline_rule(accept, name); }
void faultline_rule(int accept, const char *function);

/*
 * A lock that the program builds itself: say so right after it is taken and right before it is given back. Two holders
 * at once, or giving back what one does not hold, are a lock misuse; and race detectors know what it guards.
 */
void faultline_acquired(const volatile void *lock);
void faultline_releasing(const volatile void *lock);

/*
 * An allocator that the program has itself. Memory of a pool may be accessed only between faultline_allocated and
 * faultline_freed; its blocks are then checked like those of malloc. Links inside free blocks: say allocated before
 * reading them, and freed after writing them.
 */
void faultline_pool(void *start, __SIZE_TYPE__ size);
void faultline_allocated(void *block, __SIZE_TYPE__ size);
void faultline_freed(void *block);

/*
 * The object is an input of the test, of that name. It keeps the value it has, unless `--input name=value` gives it
 * another; with `--symbolic`, all values that make a difference are tried.
 */
void faultline_symbolic(void *object, __SIZE_TYPE__ size, const char *name);

/* Names that reports show: of the calling thread, and of an object of that many bytes. */
void faultline_name_thread(const char *name);
void faultline_name(const volatile void *object, __SIZE_TYPE__ size, const char *name);

/* The same as in SV-COMP. */
#ifdef __cplusplus
bool __VERIFIER_nondet_bool(void);
#else
_Bool __VERIFIER_nondet_bool(void);
#endif

/*
 * Any value from faultline_nondet_min to faultline_nondet_max, which the program has to define:
 * `const int faultline_nondet_min = 0, faultline_nondet_max = 2;`
 */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
char __VERIFIER_nondet_char(void);

/* What comes after a condition that does not hold is of no interest: the thread stops for ever, and that is no error. */
void __VERIFIER_assume(int condition);

/* Nobody else runs in between, unless the thread has to wait: for a lock, for another thread, or for a change. */
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

/* Fails the test. */
void reach_error(void);

#ifdef __cplusplus
}
#endif

#endif
