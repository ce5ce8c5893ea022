/* Processors: there are two, and which of them a thread runs on makes no difference. */
#include "host.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { fl_processors = 2 };

int get_nprocs(void) { return fl_processors; }
int get_nprocs_conf(void) { return fl_processors; }

long __real_sysconf(int name);
long __wrap_sysconf(int name) {
  return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? fl_processors : __real_sysconf(name);
}

/* A set must have one of them; otherwise nothing is kept of it. */
static int fl_check_affinity(size_t size, const cpu_set_t *set) {
  if (size < sizeof *set) return EINVAL;
  fl_read(set, sizeof *set);
  return CPU_ISSET(0, set) || CPU_ISSET(1, set) ? 0 : EINVAL;
}

static int fl_give_affinity(size_t size, cpu_set_t *set) {
  if (size < sizeof *set) return EINVAL;
  fl_write(set, sizeof *set);
  memset(set, 0, sizeof *set);
  for (int i = 0; i < fl_processors; i++) CPU_SET(i, set);
  return 0;
}

static int fl_as_errno(int error) {
  if (!error) return 0;
  errno = error;
  return -1;
}

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) {
  (void)process;
  return fl_as_errno(fl_check_affinity(size, set));
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
  (void)process;
  return fl_as_errno(fl_give_affinity(size, set));
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
  (void)thread;
  return fl_check_affinity(size, set);
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  (void)thread;
  return fl_give_affinity(size, set);
}

/* On which processor a thread begins makes no difference either. */
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set) {
  (void)attributes;
  return fl_check_affinity(size, set);
}

int pthread_attr_getaffinity_np(const pthread_attr_t *attributes, size_t size, cpu_set_t *set) {
  (void)attributes;
  return fl_give_affinity(size, set);
}

int sched_getcpu(void) { return 0; }
