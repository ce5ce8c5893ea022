/* Calls of Linux that programs make by number: who they are, and locks of their own that wait by futexes. */
#include "host.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The first thread, which is number 1, has the number of the process. */
FL_WEAK pid_t gettid(void) { return getpid() + (int)pthread_self() - 1; }

/* Results of the machine's waits. */
enum { fl_woken, fl_not_equal };

static double fl_nanoseconds(const struct timespec *time) { return time->tv_sec * 1e9 + (double)time->tv_nsec; }

static long fl_fail(int error) {
  errno = error;
  return -1;
}

/* A wait with a time limit may time out whenever it has to wait; that the time is over is seen only then. */
static long fl_futex_wait(int *word, int expected, const struct timespec *limit, const clockid_t *since) {
  if (limit) {
    fl_read(limit, sizeof *limit);
    if (limit->tv_nsec < 0 || limit->tv_nsec >= 1000000000 || limit->tv_sec < 0) return fl_fail(EINVAL);
  }
  switch (__builtin_wasm_memory_atomic_wait32(word, expected, limit ? 0 : -1)) {
    case fl_woken: return 0;
    case fl_not_equal: return fl_fail(EAGAIN);
  }
  double time = fl_nanoseconds(limit);
  if (since) {
    struct timespec now;
    clock_gettime(*since, &now);
    time -= fl_nanoseconds(&now);
  }
  if (time > 0) fl_sleep(time);
  return fl_fail(ETIMEDOUT);
}

static long fl_futex(int *word, int operation, int value, const struct timespec *limit) {
  clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (operation & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)) {
    case FUTEX_WAIT: return fl_futex_wait(word, value, limit, 0);
    case FUTEX_WAIT_BITSET: return fl_futex_wait(word, value, limit, &clock);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return (long)__builtin_wasm_memory_atomic_notify(word, (unsigned)value);
    default: fl_unsupported("a futex operation that neither waits nor wakes");
  }
}

FL_WEAK long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long result;
  switch (number) {
    case SYS_gettid: result = gettid(); break;
    case SYS_getpid: result = getpid(); break;
    case SYS_sched_yield: result = sched_yield(); break;
    case SYS_membarrier: result = 0; __atomic_thread_fence(__ATOMIC_SEQ_CST); break;
    case SYS_futex: {
      int *word = va_arg(list, int *);
      int operation = va_arg(list, int);
      int value = va_arg(list, int);
      const struct timespec *limit = 0;
      unsigned bits = FUTEX_BITSET_MATCH_ANY;
      int command = operation & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
      if (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) limit = va_arg(list, const struct timespec *);
      if (command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET) {
        if (command == FUTEX_WAKE_BITSET) (void)va_arg(list, void *);
        (void)va_arg(list, void *);
        bits = va_arg(list, unsigned);
      }
      if (bits != FUTEX_BITSET_MATCH_ANY) fl_unsupported("a futex with a bit set");
      result = fl_futex(word, operation, value, limit);
      break;
    }
    default: fl_unsupported("syscall with another number than those of futexes, gettid, getpid, membarrier and sched_yield");
  }
  va_end(list);
  return result;
}
