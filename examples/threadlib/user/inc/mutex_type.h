#ifndef MUTEX_TYPE_H
#define MUTEX_TYPE_H

typedef struct mutex {
  volatile int is_taken;
} mutex_t;

#endif
