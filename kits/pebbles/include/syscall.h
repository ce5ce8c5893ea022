/* The system calls of the Pebbles specification that a thread library needs, on top of Faultline's threads. */
#ifndef SYSCALL_H
#define SYSCALL_H

#include <faultline_threads.h>
#include <ureg.h>

#ifndef NORETURN
#define NORETURN __attribute__((__noreturn__))
#endif
#define PAGE_SIZE 0x0001000

/* Names, not functions: reports show the line of the library that makes the call. */
#define gettid faultline_gettid
#define yield faultline_thread_yield
#define deschedule faultline_deschedule
#define make_runnable faultline_make_runnable
#define get_ticks faultline_get_ticks
#define vanish faultline_vanish
#define sleep faultline_thread_sleep

typedef void (*swexn_handler_t)(void *arg, ureg_t *ureg);

int fork(void);
int exec(char *execname, char *argvec[]);
int wait(int *status_ptr);
NORETURN void task_vanish(int status);
void set_status(int status);
int new_pages(void *addr, int len);
int remove_pages(void *addr);
int swexn(void *esp3, swexn_handler_t eip, void *arg, ureg_t *newureg);
int readline(int size, char *buf);
int print(int size, char *buf);
int readfile(char *filename, char *buf, int count, int offset);
int set_term_color(int color);
int set_cursor_pos(int row, int col);
int get_cursor_pos(int *row, int *col);
void misbehave(int mode);
NORETURN void halt(void);

#endif
