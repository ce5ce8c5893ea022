/* The system's sched.h leaves out policies and sets of processors. */
#include_next <sched.h>

#ifndef FAULTLINE_SCHED_H
#define FAULTLINE_SCHED_H

#ifndef SCHED_OTHER
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#endif

typedef struct cpu_set_t {
  unsigned long __bits[128 / sizeof(long)];
} cpu_set_t;

#define CPU_SETSIZE 1024
#define FL_CPU_WORD(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(long))])
#define FL_CPU_BIT(cpu) (1ul << ((cpu) % (8 * sizeof(long))))
#define CPU_ZERO(set) ((void)__builtin_memset((set), 0, sizeof(cpu_set_t)))
#define CPU_SET(cpu, set) ((void)(FL_CPU_WORD(cpu, set) |= FL_CPU_BIT(cpu)))
#define CPU_CLR(cpu, set) ((void)(FL_CPU_WORD(cpu, set) &= ~FL_CPU_BIT(cpu)))
#define CPU_ISSET(cpu, set) ((FL_CPU_WORD(cpu, set) & FL_CPU_BIT(cpu)) != 0)

static __inline__ int __faultline_cpu_count(const cpu_set_t *__set) {
  int __count = 0;
  for (unsigned long __i = 0; __i < sizeof __set->__bits / sizeof __set->__bits[0]; __i++)
    __count += __builtin_popcountl(__set->__bits[__i]);
  return __count;
}
#define CPU_COUNT(set) __faultline_cpu_count(set)

#ifdef __cplusplus
extern "C" {
#endif
int sched_setaffinity(int, __SIZE_TYPE__, const cpu_set_t *);
int sched_getaffinity(int, __SIZE_TYPE__, cpu_set_t *);
int sched_getcpu(void);
int sched_get_priority_max(int);
int sched_get_priority_min(int);
int sched_setscheduler(int, int, const struct sched_param *);
int sched_getscheduler(int);
int sched_setparam(int, const struct sched_param *);
int sched_getparam(int, struct sched_param *);
#ifdef __cplusplus
}
#endif

#endif
