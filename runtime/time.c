/* Sleeping, in virtual time: the thread's own clock advances and others may run meanwhile. */
#include "host.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

#define SECOND 1e9

static int is_duration(const struct timespec *t) { return t->tv_nsec >= 0 && t->tv_nsec < 1000000000 && t->tv_sec >= 0; }

static double nanoseconds(const struct timespec *t) { return (double)t->tv_sec * SECOND + (double)t->tv_nsec; }

/* Whether a signal came; when it did, nobody can tell, so that nothing of the time has passed for sure. */
static _Bool sleep_for(const struct timespec *duration, struct timespec *left) {
  fl_sleep(nanoseconds(duration));
  _Bool is_interrupted = fl_is_interrupted();
  if (left) {
    fl_write(left, sizeof *left);
    *left = is_interrupted ? *duration : (struct timespec){0};
  }
  return is_interrupted;
}

/* The time is read before others run. */
static struct timespec read_time(const struct timespec *time) {
  fl_read(time, sizeof *time);
  return *time;
}

int __wrap_nanosleep(const struct timespec *given, struct timespec *left) {
  const struct timespec own = read_time(given), *duration = &own;
  if (!is_duration(duration)) {
    errno = EINVAL;
    return -1;
  }
  if (!sleep_for(duration, left)) return 0;
  errno = EINTR;
  return -1;
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *given, struct timespec *left) {
  struct timespec now;
  const struct timespec own = read_time(given), *time = &own;
  if (!is_duration(time)) return EINVAL;
  if (!(flags & TIMER_ABSTIME)) {
    return sleep_for(time, left) ? EINTR : 0;
  }
  if (clock_gettime(clock, &now) != 0) return EINVAL;
  double rest = nanoseconds(time) - nanoseconds(&now);
  fl_sleep(rest > 0 ? rest : 0);
  return fl_is_interrupted() ? EINTR : 0;
}

int __wrap_usleep(unsigned microseconds) {
  fl_sleep((double)microseconds * 1e3);
  if (!fl_is_interrupted()) return 0;
  errno = EINTR;
  return -1;
}

unsigned __wrap_sleep(unsigned seconds) {
  fl_sleep((double)seconds * SECOND);
  return fl_is_interrupted() ? seconds : 0;
}

int __wrap_thrd_sleep(const struct timespec *duration, struct timespec *left) {
  return __wrap_nanosleep(duration, left) == 0 ? 0 : -2;
}

void __wrap_thrd_yield(void) { sched_yield(); }

/* Nanoseconds stand for the cycles of a processor. */
unsigned long long fl_ticks(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}
