/* The system calls of the Pebbles specification that a thread library needs, on top of Faultline's threads. */
#ifndef SYSCALL_H
#define SYSCALL_H

#include <faultline_threads.h>

#define PAGE_SIZE 0x0001000

/* Names, not functions: reports show the line of the library that makes the call. */
#define gettid faultline_gettid
#define yield faultline_thread_yield
#define deschedule faultline_deschedule
#define make_runnable faultline_make_runnable
#define get_ticks faultline_get_ticks
#define vanish faultline_vanish
#define sleep faultline_thread_sleep

__attribute__((noreturn)) void task_vanish(int status);
void set_status(int status);
int print(int size, char *buffer);
int misbehave(int mode);
__attribute__((noreturn)) void halt(void);

#endif
