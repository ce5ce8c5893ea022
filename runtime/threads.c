/* The parts of POSIX threads that call back into the program; the rest is done by the machine itself. */
#include "host.h"

int __wrap_pthread_setcancelstate(int state, int *old);

int __wrap_pthread_once(pthread_once_t *control, void (*initialise)(void)) {
  if (fl_once_enter(control)) {
    initialise();
    fl_once_leave(control);
  }
  return 0;
}

/* Destructors may set values again: the machine hands those out too, for PTHREAD_DESTRUCTOR_ITERATIONS rounds. */
void fl_run_key_destructors(void) {
  void *value;
  fl_destructor destructor;
  while ((destructor = fl_key_destructor(&value))) destructor(value);
}

static _Thread_local struct __ptcb *cleanups;

void __wrap__pthread_cleanup_push(struct __ptcb *entry, void (*function)(void *), void *argument) {
  entry->__f = function;
  entry->__x = argument;
  entry->__next = cleanups;
  cleanups = entry;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_rwlock_unlock(pthread_rwlock_t *lock);
int __wrap_sem_post(void *semaphore);

/*
 * Handlers are often functions that return something, cast to one that does not. Such a call has no meaning in C, and
 * WebAssembly traps; but everywhere else it works, so those that programs do this with are called as what they are.
 */
void __faultline_call_cleanup(void (*function)(void *), void *argument) {
  if (function == (void (*)(void *))__wrap_pthread_mutex_unlock) __wrap_pthread_mutex_unlock(argument);
  else if (function == (void (*)(void *))__wrap_pthread_rwlock_unlock) __wrap_pthread_rwlock_unlock(argument);
  else if (function == (void (*)(void *))__wrap_sem_post) __wrap_sem_post(argument);
  else function(argument);
}

static void fl_call_handler(struct __ptcb *entry) { __faultline_call_cleanup(entry->__f, entry->__x); }

void __wrap__pthread_cleanup_pop(struct __ptcb *entry, int run) {
  cleanups = entry->__next;
  if (run) fl_call_handler(entry);
}

static void fl_run_cleanups(void) {
  while (cleanups) {
    struct __ptcb *entry = cleanups;
    cleanups = entry->__next;
    fl_call_handler(entry);
  }
}

_Noreturn static void fl_end_thread(void *result) {
  fl_run_thread_destructors();
  fl_run_key_destructors();
  fl_thread_exit(result);
}

/* In exceptions/abi.c: runs the destructors of all objects on the stack, and comes to fl_exception_escaped. */
__attribute__((weak)) void fl_leave_frames(void);
__attribute__((weak)) _Bool fl_is_end_of_thread(const void *thrown);
/* In exceptions/terminate.c. */
__attribute__((weak)) void fl_terminate_because(const void *exception);
/* In jumps/jumps.c. */
__attribute__((weak)) _Bool fl_is_jump(const void *thrown);

static _Thread_local void *fl_result;

/* A thread that is ending is not cancelled any more. */
_Noreturn void __wrap_pthread_exit(void *result) {
  __wrap_pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  fl_run_cleanups();
  fl_result = result;
  if (fl_leave_frames) fl_leave_frames();
  fl_end_thread(result);
}

/* Called where something thrown has come out of main, or out of the function of a thread. */
FL_EXPORT(fl_exception_escaped) void fl_exception_escaped(const void *thrown) {
  if (fl_is_jump && fl_is_jump(thrown)) fl_uncaught("longjmp goes to a function that has returned");
  if (fl_is_end_of_thread && fl_is_end_of_thread(thrown)) fl_end_thread(fl_result);
  if (fl_terminate_because) fl_terminate_because(thrown);
}

/*
 * What a thread does that was cancelled in a program with exceptions, at the end of the call that it was in: compiled code
 * calls this there (src/frontends/wasm/rewrite/exceptions.ts), and it does not return.
 */
FL_EXPORT(fl_act_on_cancel) void fl_act_on_cancel(void) { __wrap_pthread_exit(PTHREAD_CANCELED); }

/* Where a thread goes on that was cancelled in any other program: the machine has left what it was doing, and its stack lies below. */
FL_EXPORT(fl_run_cancelled) void *fl_run_cancelled(void) {
  fl_run_cleanups();
  fl_run_thread_destructors();
  fl_run_key_destructors();
  return PTHREAD_CANCELED;
}
