#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>

#include "item.h"

/** First in, first out; takers wait while it is empty. */
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  item *first, *last;
} queue;

void queue_init(queue *);
void queue_put(queue *, item *);
item *queue_take(queue *);
void queue_destroy(queue *);

#endif
