/* Named semaphores are refused by name when the program is built. */
#include_next <semaphore.h>

#ifndef FAULTLINE_SEMAPHORE_H
#define FAULTLINE_SEMAPHORE_H

/* The system's limits.h leaves it out. */
#ifndef SEM_VALUE_MAX
#define SEM_VALUE_MAX 0x7fffffff
#endif

#endif
