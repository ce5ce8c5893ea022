/* The rest of the Pebbles system calls, as far as thread libraries use them, and what is below main. */
#include "faultline_kit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <syscall.h>

#include <faultline.h>

#undef malloc
#undef calloc
#undef realloc
#undef free
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
__attribute__((noreturn)) void __assert_fail(const char *text, const char *file, int line, const char *function);

/* Memory: the allocator that comes along is safe to call from all threads, so that those around it are left out. */

#define ALLOCATOR(prefix) \
  void *prefix##malloc(size_t size) { return malloc(size); } \
  void *prefix##calloc(size_t count, size_t size) { return calloc(count, size); } \
  void *prefix##realloc(void *block, size_t size) { return realloc(block, size); } \
  void prefix##free(void *block) { free(block); }
ALLOCATOR(own_)
ALLOCATOR(_)

/* Processes. */

void task_vanish(int status) { exit(status); }
void halt(void) { exit(0); }
void set_status(int status) { (void)status; }
void misbehave(int mode) { (void)mode; }
int fork(void) { return -1; }
int exec(char *name, char *arguments[]) { return (void)name, (void)arguments, -1; }
int wait(int *status) { return (void)status, -1; }
/* Handlers are for page faults, which are reported instead. */
int swexn(void *stack, swexn_handler_t handler, void *argument, ureg_t *registers) {
  return (void)stack, (void)handler, (void)argument, (void)registers, 0;
}
void panic(const char *format, ...) {
  static char text[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  __assert_fail(text, "panic", 0, "panic");
}

/* The console. */

int print(int size, char *buffer) {
  fwrite(buffer, 1, (size_t)size, stdout);
  return 0;
}
int readline(int size, char *buffer) { return (void)size, (void)buffer, -1; }
int readfile(char *name, char *buffer, int count, int offset) {
  return (void)name, (void)buffer, (void)count, (void)offset, -1;
}
int set_term_color(int color) { return (void)color, 0; }
int set_cursor_pos(int row, int column) { return (void)row, (void)column, 0; }
int get_cursor_pos(int *row, int *column) { return *row = *column = 0; }
