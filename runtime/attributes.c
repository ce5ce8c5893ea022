/*
 * Attributes that the system's libc refuses because it has one thread. Which thread runs is up to the schedule, so
 * priorities and protocols have no effect that a program could see but one: a thread cannot lock a mutex whose priority
 * ceiling is below its own priority.
 */
#include "host.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

/* As libc encodes them; PTHREAD_PRIO_PROTECT with its ceiling and NORMAL are our own, and known to the machine. */
#define FL_MUTEX_ROBUST 4u
#define FL_MUTEX_INHERIT 8u
#define FL_MUTEX_PROTECT 16u
#define FL_MUTEX_NORMAL 32u
#define FL_CEILING_SHIFT 8
#define FL_CEILING_MASK 0x7fu
#define FL_HIGHEST_PRIORITY 99
#define FL_SHARED_CONDITION 0x80000000u

/* Words of a pthread_attr_t. */
enum { fl_guard_size = 1, fl_inherit = 4, fl_policy = 5, fl_priority = 6, fl_scope = 7 };

int __wrap_pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size) {
  attributes->__u.__s[fl_guard_size] = size;
  return 0;
}

int __wrap_pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size) {
  *size = attributes->__u.__s[fl_guard_size];
  return 0;
}

/* Whether a priority fits the policy is found out when a thread is created: they can be set in any order. */
int __wrap_pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameters) {
  if (parameters->sched_priority < 0 || parameters->sched_priority > FL_HIGHEST_PRIORITY) return EINVAL;
  attributes->__u.__i[fl_priority] = parameters->sched_priority;
  return 0;
}

int __wrap_pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *parameters) {
  *parameters = (struct sched_param){.sched_priority = attributes->__u.__i[fl_priority]};
  return 0;
}

int __wrap_pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
  if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT) return EINVAL;
  attributes->__attr &= ~(FL_MUTEX_INHERIT | FL_MUTEX_PROTECT);
  if (protocol == PTHREAD_PRIO_INHERIT) attributes->__attr |= FL_MUTEX_INHERIT;
  if (protocol == PTHREAD_PRIO_PROTECT) {
    attributes->__attr |= FL_MUTEX_PROTECT;
    if (!(attributes->__attr >> FL_CEILING_SHIFT & FL_CEILING_MASK))
      attributes->__attr |= FL_HIGHEST_PRIORITY << FL_CEILING_SHIFT;
  }
  return 0;
}

int __wrap_pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol) {
  *protocol = attributes->__attr & FL_MUTEX_INHERIT   ? PTHREAD_PRIO_INHERIT
              : attributes->__attr & FL_MUTEX_PROTECT ? PTHREAD_PRIO_PROTECT
                                                      : PTHREAD_PRIO_NONE;
  return 0;
}

int __wrap_pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling) {
  if (ceiling < 1 || ceiling > FL_HIGHEST_PRIORITY) return EINVAL;
  attributes->__attr &= ~(FL_CEILING_MASK << FL_CEILING_SHIFT);
  attributes->__attr |= (unsigned)ceiling << FL_CEILING_SHIFT;
  return 0;
}

/* The highest unless it was set: such a mutex can be locked by everybody. */
int __wrap_pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling) {
  *ceiling = (int)(attributes->__attr >> FL_CEILING_SHIFT & FL_CEILING_MASK);
  if (*ceiling == 0) *ceiling = FL_HIGHEST_PRIORITY;
  return 0;
}

__attribute__((weak)) int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
  if (kind < PTHREAD_RWLOCK_PREFER_READER_NP || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) return EINVAL;
  attributes->__attr[1] = (unsigned)kind;
  return 0;
}

__attribute__((weak)) int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind) {
  *kind = (int)attributes->__attr[1];
  return 0;
}

__attribute__((weak)) int sched_get_priority_max(int policy) {
  if (policy >= SCHED_OTHER && policy <= SCHED_RR) return policy == SCHED_OTHER ? 0 : FL_HIGHEST_PRIORITY;
  errno = EINVAL;
  return -1;
}

__attribute__((weak)) int sched_get_priority_min(int policy) {
  if (policy >= SCHED_OTHER && policy <= SCHED_RR) return policy == SCHED_OTHER ? 0 : 1;
  errno = EINVAL;
  return -1;
}

/* Locking it twice is a deadlock if it is normal because somebody said so; otherwise nothing is said about that. */
int __wrap_pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  if ((unsigned)type > PTHREAD_MUTEX_ERRORCHECK) return EINVAL;
  attributes->__attr &= ~(3u | FL_MUTEX_NORMAL);
  attributes->__attr |= type == PTHREAD_MUTEX_NORMAL ? FL_MUTEX_NORMAL : (unsigned)type;
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
