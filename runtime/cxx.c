/*
 * What C++ programs need besides the headers in `include`: static variables of functions, destructors of thread-local
 * variables, and the end of programs that would have thrown.
 */
#include "host.h"

#include <stdarg.h>
#include <stdio.h>

/*
 * Compiled code looks at the lowest byte of the guard itself and calls only if it is not set; fl_once_leave sets it,
 * and the machine logs that as a store.
 */
int __wrap___cxa_guard_acquire(uint32_t *guard) { return fl_once_enter((pthread_once_t *)guard); }
void __wrap___cxa_guard_release(uint32_t *guard) { fl_once_leave((pthread_once_t *)guard); }

/* Inside the library, which looks at the flag for another value than ours: it always calls. */
void __wrap__ZNSt3__211__call_onceERVmPvPFvS2_E(volatile unsigned long *flag, void *argument, void (*call)(void *)) {
  if (fl_once_enter((pthread_once_t *)flag)) {
    call(argument);
    fl_once_leave((pthread_once_t *)flag);
  }
}

/* Destructors of thread-local variables, the latest first. */
struct fl_thread_exit_entry {
  void (*destructor)(void *);
  void *object;
  struct fl_thread_exit_entry *next;
};

static _Thread_local struct fl_thread_exit_entry *at_thread_exit;

void *__wrap_malloc(size_t size);
void __wrap_free(void *block);

int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *library) {
  (void)library;
  struct fl_thread_exit_entry *entry = __wrap_malloc(sizeof *entry);
  *entry = (struct fl_thread_exit_entry){destructor, object, at_thread_exit};
  at_thread_exit = entry;
  return 0;
}

void fl_run_thread_destructors(void) {
  while (at_thread_exit) {
    struct fl_thread_exit_entry *entry = at_thread_exit;
    at_thread_exit = entry->next;
    entry->destructor(entry->object);
    __wrap_free(entry);
  }
}

/* Where the library ends up when it would throw. */
_Noreturn void __wrap__ZNSt3__222__libcpp_verbose_abortEPKcz(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fl_uncaught(text);
}

void __wrap__ZNSt3__225notify_all_at_thread_exitERNS_18condition_variableENS_11unique_lockINS_5mutexEEE(
    void *condition, void *lock) {
  (void)condition, (void)lock;
  fl_unsupported("std::notify_all_at_thread_exit");
}
