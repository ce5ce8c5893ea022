/*
 * Where the machine enters a program: constructors once, before the initial state is recorded; then `main` and the
 * start functions of threads, each time anew.
 */
#include "host.h"

#include <stddef.h>
#include <stdio.h>

extern void __wasm_call_ctors(void);
extern int __main_void(void);

/* libc's clean-up at exit, present only when the program uses what needs it. */
__attribute__((weak)) void __funcs_on_exit(void);
__attribute__((weak)) void __stdio_exit(void);

/* libc's standard output, or null if the program does not print: as libc's own clean-up tells. */
static FILE *volatile fl_no_stream;
extern FILE *volatile __stdout_used __attribute__((weak, alias("fl_no_stream")));

/* The linker's map, from which the layout is read, leaves out .bss when there is no other static data. */
__attribute__((used)) static int fl_anchor = 1;

/*
 * What each call prints reaches the host by itself, so that outputs can be compared call by call, and what a thread has
 * printed does not lie in a buffer until another one ends the line. A program may choose otherwise with setvbuf.
 */
FL_EXPORT(fl_construct) void fl_construct(void) {
  if (__stdout_used) setvbuf(__stdout_used, NULL, _IONBF, 0);
  __wasm_call_ctors();
}

/* A main that returns nothing, with arguments or without: the compiler is told to call it so. */
__attribute__((weak)) void fl_void_main(void);
__attribute__((weak)) void fl_void_main_args(int count, char **arguments);

__attribute__((weak)) int __main_argc_argv(int count, char **arguments) {
  if (fl_void_main) fl_void_main();
  if (fl_void_main_args) fl_void_main_args(count, arguments);
  return 0;
}

/* Like exit(main()), but comes back, so that the usual end of an execution needs no unwinding. */
FL_EXPORT(fl_run_main) int fl_run_main(void) {
  int code = __main_void();
  fl_run_thread_destructors();
  if (__funcs_on_exit) __funcs_on_exit();
  if (__stdio_exit) __stdio_exit();
  return code;
}

/*
 * Programs start threads in functions that take nothing or return nothing, by a cast or because `void *worker()` says
 * nothing about arguments. WebAssembly traps where other machines do not care, so they are called as what they are; the
 * numbers are those of StartType in src/frontends/wasm/artifact.ts.
 */
static void *fl_start(void *(*start)(void *), void *argument, int type) {
  switch (type) {
    case 1: return ((void *(*)(void))start)();
    case 2: return ((void (*)(void *))start)(argument), (void *)0;
    case 3: return ((void (*)(void))start)(), (void *)0;
    default: return start(argument);
  }
}

FL_EXPORT(fl_run_thread) void *fl_run_thread(void *(*start)(void *), void *argument, int type) {
  void *result = fl_start(start, argument, type);
  fl_run_thread_destructors();
  fl_run_key_destructors();
  return result;
}

/* Whether a check of the program holds. */
FL_EXPORT(fl_check) int fl_check(int (*holds)(void)) { return holds(); }
