// expect: bug use-after-free
// A hash map that grows in a transaction or else under a lock. The transaction forgets to look whether somebody has it.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct entry {
  struct entry *next;
  int key;
};

static struct entry **buckets;
static int size = 1, used;
static atomic_int is_locked;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void put(struct entry *entry) {
  struct entry **bucket = &buckets[entry->key % size];
  entry->next = *bucket;
  *bucket = entry;
}

/* Twice as many buckets. */
static void grow(void) {
  struct entry **old = buckets;
  buckets = calloc(2 * size, sizeof *buckets);  // cause
  size *= 2;
  for (int i = 0; i < size / 2; i++) {
    for (struct entry *next, *entry = old[i]; entry; entry = next) {
      next = entry->next;
      put(entry);
    }
  }
  free(old);
}

static void add(struct entry *entry) {
  if (++used > size) grow();
  put(entry);  // cause
}

static void insert(int key) {
  struct entry *fresh = calloc(1, sizeof *fresh);
  fresh->key = key;
  if (_xbegin() == _XBEGIN_STARTED) {
    add(fresh);
    _xend();
    return;
  }
  pthread_mutex_lock(&m);
  atomic_store(&is_locked, 1);
  add(fresh);
  atomic_store(&is_locked, 0);
  pthread_mutex_unlock(&m);
}

static int has(int key) {
  for (struct entry *entry = buckets[key % size]; entry; entry = entry->next)
    if (entry->key == key) return 1;
  return 0;
}

static void *first(void *arg) {
  insert(1);
  return arg;
}

static void *second(void *arg) {
  insert(3);
  return arg;
}

int main(void) {
  pthread_t a, b;
  buckets = calloc(size, sizeof *buckets);
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(used == 2 && has(1) && has(3));
}
