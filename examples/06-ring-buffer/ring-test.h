// Three values through a ring of two slots; they must arrive complete and in order.
#include <assert.h>
#include <pthread.h>
#include <sched.h>

#include "ring.h"

#define COUNT 3

static struct ring ring;

static void *producer(void *arg) {
  for (int i = 1; i <= COUNT; i++) {
    while (!ring_put(&ring, i)) sched_yield();
  }
  return arg;
}

static void *consumer(void *arg) {
  for (int i = 1; i <= COUNT; i++) {
    int value;
    while (!ring_take(&ring, &value)) sched_yield();
    assert(value == i);
  }
  return arg;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
}
