#ifndef RWLOCK_TYPE_H
#define RWLOCK_TYPE_H

#include <cond_type.h>

typedef struct rwlock {
  mutex_t guard;
  cond_t can_read;
  cond_t can_write;
  int readers;
  int writers_waiting;
  int is_written;
} rwlock_t;

#endif
