// Lamport's bakery with atomics: three threads that try to enter, and give up if somebody is before them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3

static atomic_int choosing[THREADS], number[THREADS];
static int inside;

static int enter(int self) {
  atomic_store(&choosing[self], 1);
  int max = 0;
  for (int i = 0; i < THREADS; i++) {
    int other = atomic_load(&number[i]);
    if (other > max) max = other;
  }
  atomic_store(&number[self], max + 1);
  atomic_store(&choosing[self], 0);
  for (int i = 0; i < THREADS; i++) {
    if (i == self) continue;
    if (atomic_load(&choosing[i])) return 0;
    int other = atomic_load(&number[i]);
    if (other != 0 && (other < max + 1 || (other == max + 1 && i < self))) return 0;
  }
  return 1;
}

static void *worker(void *arg) {
  int self = (int)(long)arg;
  if (enter(self)) {
    inside++;
    assert(inside == 1);
    inside--;
  }
  atomic_store(&number[self], 0);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}
