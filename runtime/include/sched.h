/* The system's sched.h leaves out policies. */
#include_next <sched.h>

#ifndef FAULTLINE_SCHED_H
#define FAULTLINE_SCHED_H

#ifndef SCHED_OTHER
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#endif

#ifdef __cplusplus
extern "C" {
#endif
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
