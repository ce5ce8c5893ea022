/* The system's sched.h leaves out policies. */
#include_next <sched.h>

#ifndef FAULTLINE_SCHED_H
#define FAULTLINE_SCHED_H

#ifndef SCHED_OTHER
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#endif

#endif
