/* A trace library keeps its threads in a hash table; entering a thread does not take the lock. */
#include <assert.h>
#include <pthread.h>
#define BUCKETS 2
struct entry {
  int id;
  struct entry *next;
};
static struct entry *table[BUCKETS], entries[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(int id) {
  struct entry *entry = &entries[id / BUCKETS];
  entry->id = id;
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  entry->next = table[id % BUCKETS]; // cause
  table[id % BUCKETS] = entry; // cause
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
}

static int is_known(int id) {
  pthread_mutex_lock(&lock);
  struct entry *entry = table[id % BUCKETS];
  while (entry && entry->id != id) entry = entry->next;
  pthread_mutex_unlock(&lock);
  return entry != 0;
}

static void *worker(void *number) {
  int id = (int)(long)number;
  enter(id);
  assert(is_known(id));
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0L);
  pthread_create(&b, 0, worker, (void *)2L);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
