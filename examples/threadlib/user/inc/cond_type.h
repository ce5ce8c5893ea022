#ifndef COND_TYPE_H
#define COND_TYPE_H

#include <mutex_type.h>

struct waiter {
  int tid;
  int is_woken;
  struct waiter *next;
};

typedef struct cond {
  mutex_t guard;
  struct waiter *first;
  struct waiter **end;
} cond_t;

#endif
