/*
 * What runtime code asks of the machine. The imports are listed in src/frontends/wasm/wraps.ts and implemented in
 * src/frontends/wasm/machine.
 */
#ifndef FL_HOST_H
#define FL_HOST_H

#include "fl.h"

#include <pthread.h>

/* A program may have its own. */
#define FL_WEAK __attribute__((weak))

#define FL_HOST(name) __attribute__((import_module("env"), import_name(#name)))

/* Waits until nobody runs the initialiser; 1 when the caller has to run it, and to call fl_once_leave after. */
FL_HOST(fl_once_enter) int fl_once_enter(pthread_once_t *control);
FL_HOST(fl_once_leave) void fl_once_leave(pthread_once_t *control);
/* Instead: the initialiser has thrown, and will be run again. */
FL_HOST(fl_once_abort) void fl_once_abort(pthread_once_t *control);

/* Ends the calling thread. */
FL_HOST(fl_thread_exit) _Noreturn void fl_thread_exit(void *result);

/* Takes one value out of the thread's keys; returns its destructor, or null when no value with one is left. */
typedef void (*fl_destructor)(void *);
FL_HOST(fl_key_destructor) fl_destructor fl_key_destructor(void **value);

/* Lets that much virtual time pass for the calling thread, and yields. */
FL_HOST(fl_sleep) void fl_sleep(double nanoseconds);

/* A new semaphore, in the step under way. */
FL_HOST(fl_semaphore_make) void fl_semaphore_make(void *semaphore, unsigned permits);

/* Permits of a semaphore. */
FL_HOST(fl_semaphore_value) int fl_semaphore_value(void *semaphore);

/* The calling thread is about to read from a stream, which moves it for everybody. */
FL_HOST(fl_stream) void fl_stream(void *stream);

/* The calling thread is about to read or change, in one step, something of the runtime's that threads share. */
FL_HOST(fl_touch) void fl_touch(const volatile void *object, int changes);

/* Ends the run: the program uses something that is not provided. */
FL_HOST(fl_unsupported) _Noreturn void fl_unsupported(const char *what);

/* Any of 0 … count - 1. */
FL_HOST(fl_choose) int fl_choose(int count);

/* A preemption point of the program's own. */
FL_HOST(fl_user_point) void fl_user_point(void);

/* The calling thread stops for ever, and that is no deadlock. */
FL_HOST(fl_assume_failed) void fl_assume_failed(void);

/* No preemption points in between. */
FL_HOST(fl_atomic_begin) void fl_atomic_begin(void);
FL_HOST(fl_atomic_end) void fl_atomic_end(void);

/* Checked whenever something it reads was written, and when the program has ended. */
FL_HOST(fl_invariant) void fl_invariant(int (*holds)(void));
FL_HOST(fl_at_end) void fl_at_end(int (*holds)(void));

/* A rule about preemption points; before main only. */
FL_HOST(fl_rule) void fl_rule(int accept, const char *function);

/* A lock of the program's own has been taken, or is about to be given back. */
FL_HOST(fl_own_lock) void fl_own_lock(int taken, const volatile void *lock);

/* Interrupts are on (0), off (1), off in a handler (2); the address stands for the processor. */
FL_HOST(fl_region) void fl_region(int region, const volatile void *processor);
FL_HOST(fl_interrupt_misuse) _Noreturn void fl_interrupt_misuse(const char *what);

/* Memory that the program hands out itself. */
FL_HOST(fl_own_pool) void fl_own_pool(void *start, size_t size);
FL_HOST(fl_own_block) void fl_own_block(void *block, size_t size);
FL_HOST(fl_own_free) void fl_own_free(void *block);

/* Names for people. */
FL_HOST(fl_name_thread) void fl_name_thread(const char *name);
FL_HOST(fl_name_object) void fl_name_object(const volatile void *object, size_t size, const char *name);

/* The object is an input of the program, of that name: it is given the value it is to have, if there is one. */
FL_HOST(fl_symbolic) void fl_symbolic(void *object, size_t size, const char *name);
/* Whether values that nothing determines are inputs, and not choices. */
FL_HOST(fl_has_inputs) int fl_has_inputs(void);

/* A function that must return a value has ended without. */
FL_HOST(fl_missing_return) _Noreturn void fl_missing_return(void);

/* The test has failed. */
FL_HOST(fl_reach_error) void fl_reach_error(void);

/* Ends the run: the program would be terminated here, by an exception that nobody can catch. */
FL_HOST(fl_uncaught) _Noreturn void fl_uncaught(const char *what);

/*
 * How a block was allocated: 0 by malloc, else as new.c says. It must be freed likewise. Changing the family of a live
 * block that has another one than expected is such an error too; 0 is left alone, for programs with a new of their own.
 */
FL_HOST(fl_set_family) void fl_set_family(void *block, int family);
FL_HOST(fl_change_family) void fl_change_family(void *block, int expected, int family);
FL_HOST(fl_free_as) void fl_free_as(void *block, int family);

/* In threads.c. */
void fl_run_key_destructors(void);

/* In cxx.c. */
void fl_run_thread_destructors(void);

#endif
