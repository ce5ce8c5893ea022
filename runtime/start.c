/*
 * Where the machine enters a program: constructors once, before the initial state is recorded; then `main` and the
 * start functions of threads, each time anew.
 */
#include "host.h"

#include <stddef.h>

extern void __wasm_call_ctors(void);
extern int __main_void(void);

/* libc's clean-up at exit, present only when the program uses what needs it. */
__attribute__((weak)) void __funcs_on_exit(void);
__attribute__((weak)) void __stdio_exit(void);

/* The linker's map, from which the layout is read, leaves out .bss when there is no other static data. */
__attribute__((used)) static int fl_anchor = 1;

FL_EXPORT(fl_construct) void fl_construct(void) { __wasm_call_ctors(); }

/* Like exit(main()), but comes back, so that the usual end of an execution needs no unwinding. */
FL_EXPORT(fl_run_main) int fl_run_main(void) {
  int code = __main_void();
  fl_run_thread_destructors();
  if (__funcs_on_exit) __funcs_on_exit();
  if (__stdio_exit) __stdio_exit();
  return code;
}

FL_EXPORT(fl_run_thread) void *fl_run_thread(void *(*start)(void *), void *argument) {
  void *result = start(argument);
  fl_run_thread_destructors();
  fl_run_key_destructors();
  return result;
}

/* Whether a check of the program holds. */
FL_EXPORT(fl_check) int fl_check(int (*holds)(void)) { return holds(); }
