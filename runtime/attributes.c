/*
 * Attributes that the system's libc refuses because it has one thread. Which thread runs is up to the schedule, so
 * priorities and protocols have no effect that a program could see: they are kept, and given back.
 */
#include "host.h"

#include <errno.h>
#include <time.h>

/* As libc encodes them; PTHREAD_PRIO_PROTECT is our own, and dropped when a mutex is made. */
#define FL_MUTEX_ROBUST 4u
#define FL_MUTEX_INHERIT 8u
#define FL_MUTEX_PROTECT 16u
#define FL_SHARED_CONDITION 0x80000000u

/* Words of a pthread_attr_t. */
enum { fl_guard_size = 1, fl_inherit = 4, fl_policy = 5, fl_scope = 7 };

int __wrap_pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size) {
  attributes->__u.__s[fl_guard_size] = size;
  return 0;
}

int __wrap_pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size) {
  *size = attributes->__u.__s[fl_guard_size];
  return 0;
}

int __wrap_pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
  if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT) return EINVAL;
  attributes->__attr &= ~(FL_MUTEX_INHERIT | FL_MUTEX_PROTECT);
  if (protocol == PTHREAD_PRIO_INHERIT) attributes->__attr |= FL_MUTEX_INHERIT;
  if (protocol == PTHREAD_PRIO_PROTECT) attributes->__attr |= FL_MUTEX_PROTECT;
  return 0;
}

int __wrap_pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol) {
  *protocol = attributes->__attr & FL_MUTEX_INHERIT   ? PTHREAD_PRIO_INHERIT
              : attributes->__attr & FL_MUTEX_PROTECT ? PTHREAD_PRIO_PROTECT
                                                      : PTHREAD_PRIO_NONE;
  return 0;
}

int __wrap_pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) {
  if (robust != PTHREAD_MUTEX_STALLED && robust != PTHREAD_MUTEX_ROBUST) return EINVAL;
  attributes->__attr &= ~FL_MUTEX_ROBUST;
  if (robust == PTHREAD_MUTEX_ROBUST) attributes->__attr |= FL_MUTEX_ROBUST;
  return 0;
}

int __wrap_pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  attributes->__attr = (attributes->__attr & FL_SHARED_CONDITION) | (clock == CLOCK_MONOTONIC);
  return 0;
}

int __wrap_pthread_condattr_getclock(const pthread_condattr_t *attributes, clockid_t *clock) {
  *clock = attributes->__attr & ~FL_SHARED_CONDITION ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  return 0;
}

/* What libc does not have at all. */
#define FL_ATTRIBUTE(name, word, valid)                                                                                \
  __attribute__((weak)) int pthread_attr_set##name(pthread_attr_t *attributes, int value) {                            \
    if (!(valid)) return EINVAL;                                                                                       \
    attributes->__u.__i[word] = value;                                                                                 \
    return 0;                                                                                                          \
  }                                                                                                                    \
  __attribute__((weak)) int pthread_attr_get##name(const pthread_attr_t *attributes, int *value) {                     \
    *value = attributes->__u.__i[word];                                                                                \
    return 0;                                                                                                          \
  }

FL_ATTRIBUTE(inheritsched, fl_inherit, value == PTHREAD_INHERIT_SCHED || value == PTHREAD_EXPLICIT_SCHED)
FL_ATTRIBUTE(schedpolicy, fl_policy, value >= SCHED_OTHER && value <= SCHED_RR)
FL_ATTRIBUTE(scope, fl_scope, value == PTHREAD_SCOPE_SYSTEM || value == PTHREAD_SCOPE_PROCESS)
