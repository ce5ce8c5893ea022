/*
 * What the headers of this folder ask of the machine (src/frontends/wasm/machine). They replace those parts of the C++
 * library that synchronise, so that each call is one operation of the right kind and not what an implementation is
 * made of. Inlined and without debug information: reports speak of the line that used the library.
 */
#ifndef FAULTLINE_LIBRARY_H
#define FAULTLINE_LIBRARY_H

#include <pthread.h>

/* Names of their own for classes that the library has, too: its functions must not take the place of theirs. */
#define FL_OWN __attribute__((__abi_tag__("faultline")))
#define FL_INLINED inline __attribute__((__always_inline__, __nodebug__))

extern "C" {
/* Ends the run: the program would be terminated here. */
[[noreturn]] void fl_uncaught(const char *what);
/* Ends the run: the program uses something that is not provided. */
[[noreturn]] void fl_unsupported(const char *what);

/* The library is about to read that. */
void fl_reads(const void *address, unsigned long size);
void fl_reads_into(void *copy, const void *address, unsigned long size);

/* 1 when the caller has to initialise, and to call fl_once_leave after. */
int fl_once_enter(void *control);
void fl_once_leave(void *control);
/* Instead: the initialiser has thrown, and will be run again. */
void fl_once_abort(void *control);

/* Sleeps until somebody notifies, if memory still holds what is expected. */
void fl_atomic_wait(const volatile void *address, const void *expected, unsigned long size);
void fl_atomic_notify(const volatile void *address, int all);

/* No preemption points in between, unless the thread has to wait. */
void fl_atomic_begin(void);
void fl_atomic_end(void);

/* Counting semaphores: word 0 is the count, word 1 FL_SEMAPHORE. */
void fl_semaphore_acquire(void *semaphore);
int fl_semaphore_try(void *semaphore);
int fl_semaphore_try_until(void *semaphore, const struct timespec *deadline);
void fl_semaphore_release(void *semaphore, long count, long most);

/* Latches: word 0 is the count, word 1 FL_LATCH. */
void fl_latch_count(void *latch, long count);
int fl_latch_try(const void *latch);
void fl_latch_wait(const void *latch);

/* Barriers: how many it takes, how many are missing, the phase, FL_BARRIER. */
int fl_barrier_arrive(void *barrier, long count, int drop);
void fl_barrier_complete(void *barrier);
void fl_barrier_wait(void *barrier, unsigned long phase);
}

#define FL_SEMAPHORE 0x73656d61
#define FL_LATCH 0x6c617463
#define FL_BARRIER 0x63626172

#endif
