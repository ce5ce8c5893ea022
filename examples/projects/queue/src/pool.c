#include "pool.h"

#include "total.h"

static void *work(void *source) {
  total_add(item_finish(queue_take(source)));
  return NULL;
}

void pool_start(pool *p, queue *source) {
  p->source = source;
  for (int i = 0; i < POOL_SIZE; i++)
    pthread_create(&p->workers[i], NULL, work, source);
}

void pool_join(pool *p) {
  for (int i = 0; i < POOL_SIZE; i++)
    pthread_join(p->workers[i], NULL);
}
