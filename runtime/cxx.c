/*
 * What C++ programs need besides the headers in `include`: static variables of functions, destructors of thread-local
 * variables, and the end of programs that would have thrown.
 */
#include "host.h"

/* Called by the compiler; what is given tells the place, as the call itself does. */
void __ubsan_handle_missing_return(void *place) { fl_missing_return(); }

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Compiled code looks at the lowest byte of the guard itself and calls only if it is not set; fl_once_leave sets it,
 * and the machine logs that as a store.
 */
int __wrap___cxa_guard_acquire(uint32_t *guard) { return fl_once_enter((pthread_once_t *)guard); }
void __wrap___cxa_guard_release(uint32_t *guard) { fl_once_leave((pthread_once_t *)guard); }
void __wrap___cxa_guard_abort(uint32_t *guard) { fl_once_abort((pthread_once_t *)guard); }

/* Inside the library, which looks at the flag for another value than ours: it always calls. */
void __wrap__ZNSt3__211__call_onceERVmPvPFvS2_E(volatile unsigned long *flag, void *argument, void (*call)(void *)) {
  if (fl_once_enter((pthread_once_t *)flag)) {
    call(argument);
    fl_once_leave((pthread_once_t *)flag);
  }
}

/*
 * The library sets the classic locale up when it is first asked for, and this build of it does so without a guard. Elsewhere
 * there is one, or the locale is there before main, as in every program with <iostream>. So it is here, where it is used at all.
 */
__attribute__((weak)) const void *_ZNSt3__26locale7classicEv(void);

__attribute__((constructor(101))) static void fl_begin_locale(void) {
  if (_ZNSt3__26locale7classicEv) _ZNSt3__26locale7classicEv();
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

/* Mutexes to unlock and conditions to notify when the thread has ended, in the order of the calls. */
struct fl_thread_exit_notice {
  pthread_cond_t *condition;
  pthread_mutex_t *mutex;
  struct fl_thread_exit_notice *next;
};

static _Thread_local struct fl_thread_exit_notice *first_notice, **last_notice;

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_cond_broadcast(pthread_cond_t *condition);

/* A std::unique_lock; a std::mutex and a std::condition_variable begin with what they are made of. */
struct fl_unique_lock {
  pthread_mutex_t *mutex;
  _Bool owns;
};

/* std::notify_all_at_thread_exit takes the lock over from its owner. */
void __wrap__ZNSt3__225notify_all_at_thread_exitERNS_18condition_variableENS_11unique_lockINS_5mutexEEE(
    void *condition, void *lock) {
  struct fl_unique_lock *held = lock;
  struct fl_thread_exit_notice *notice = __wrap_malloc(sizeof *notice);
  *notice = (struct fl_thread_exit_notice){condition, held->mutex, 0};
  held->mutex = 0;
  held->owns = 0;
  if (!first_notice) last_notice = &first_notice;
  *last_notice = notice;
  last_notice = &notice->next;
}

static void fl_run_notices(void) {
  while (first_notice) {
    struct fl_thread_exit_notice *notice = first_notice;
    first_notice = notice->next;
    __wrap_pthread_mutex_unlock(notice->mutex);
    __wrap_pthread_cond_broadcast(notice->condition);
    __wrap_free(notice);
  }
}

void fl_run_thread_destructors(void) {
  while (at_thread_exit) {
    struct fl_thread_exit_entry *entry = at_thread_exit;
    at_thread_exit = entry->next;
    entry->destructor(entry->object);
    __wrap_free(entry);
  }
  fl_run_notices();
}

/*
 * Programs that never mention exceptions are compiled without: what the library would throw ends them. In all others it
 * is thrown (exceptions/library.c).
 */
__attribute__((weak)) void fl_throw_as_told(char *text);

_Noreturn static void fl_thrown(char *text) {
  if (fl_throw_as_told && strstr(text, "-fno-exceptions")) {
    fl_throw_as_told(text);
    fl_unsupported("an exception that the library throws: std::ios_base::failure, or another rare one");
  }
  fl_uncaught(text);
}

/* Where the library ends up when it would throw. */
_Noreturn void __wrap__ZNSt3__222__libcpp_verbose_abortEPKcz(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fl_thrown(text);
}
