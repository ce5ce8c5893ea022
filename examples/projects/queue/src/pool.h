#ifndef POOL_H
#define POOL_H

#include "queue.h"

#define POOL_SIZE 2

/** Workers that each take one item and add its number to the total. */
typedef struct {
  queue *source;
  pthread_t workers[POOL_SIZE];
} pool;

void pool_start(pool *, queue *source);
void pool_join(pool *);

#endif
