#ifndef SEM_TYPE_H
#define SEM_TYPE_H

#include <cond_type.h>

typedef struct sem {
  mutex_t guard;
  cond_t is_positive;
  int count;
} sem_t;

#endif
