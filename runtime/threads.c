/* The parts of POSIX threads that call back into the program; the rest is done by the machine itself. */
#include "host.h"

#include <errno.h>
#include <limits.h>

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

void __wrap__pthread_cleanup_pop(struct __ptcb *entry, int run) {
  cleanups = entry->__next;
  if (run) entry->__f(entry->__x);
}

_Noreturn void __wrap_pthread_exit(void *result) {
  while (cleanups) {
    struct __ptcb *entry = cleanups;
    cleanups = entry->__next;
    entry->__f(entry->__x);
  }
  fl_run_thread_destructors();
  fl_run_key_destructors();
  fl_thread_exit(result);
}

/*
 * pthread_cancel is refused by name, so nothing comes of these: each thread has what it set last.
 */
static _Thread_local int cancel_state, cancel_type;

static int fl_exchange_setting(int *setting, int value, int *old) {
  if (value != 0 && value != 1) return EINVAL;
  if (old) *old = *setting;
  *setting = value;
  return 0;
}

int __wrap_pthread_setcancelstate(int state, int *old) { return fl_exchange_setting(&cancel_state, state, old); }
int __wrap_pthread_setcanceltype(int type, int *old) { return fl_exchange_setting(&cancel_type, type, old); }
void __wrap_pthread_testcancel(void) {}
