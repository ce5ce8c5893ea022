#include_next <semaphore.h>
#include <time.h>

#ifndef FAULTLINE_SEMAPHORE_H
#define FAULTLINE_SEMAPHORE_H

/* The system's limits.h leaves it out. */
#ifndef SEM_VALUE_MAX
#define SEM_VALUE_MAX 0x7fffffff
#endif

#ifdef __cplusplus
extern "C" {
#endif
int sem_clockwait(sem_t *, clockid_t, const struct timespec *);
#ifdef __cplusplus
}
#endif

#endif
