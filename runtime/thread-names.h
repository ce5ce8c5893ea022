#ifndef FL_THREAD_NAMES_H
#define FL_THREAD_NAMES_H

#include <pthread.h>

#define FL_MOST_LETTERS 15

/* Empty until it is given. */
extern _Thread_local char fl_own_name[FL_MOST_LETTERS + 1];

/* Whether a thread was named by another one: that name is not kept. Only programs that ask for names have it. */
extern char fl_named_by_others __attribute__((weak));

pthread_t __wrap_pthread_self(void);

#endif
