#include "queue.h"

#include <stddef.h>

void queue_init(queue *q) {
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->filled, NULL);
  q->first = q->last = NULL;
}

void queue_put(queue *q, item *it) {
  pthread_mutex_lock(&q->lock);
  if (q->last)
    q->last->next = it;
  else
    q->first = it;
  q->last = it;
  pthread_cond_signal(&q->filled);
  pthread_mutex_unlock(&q->lock);
}

item *queue_take(queue *q) {
  pthread_mutex_lock(&q->lock);
  if (!q->first)
    pthread_cond_wait(&q->filled, &q->lock);
  item *it = q->first;
  q->first = it->next;
  if (!q->first)
    q->last = NULL;
  pthread_mutex_unlock(&q->lock);
  return it;
}

void queue_destroy(queue *q) {
  pthread_cond_destroy(&q->filled);
  pthread_mutex_destroy(&q->lock);
}
