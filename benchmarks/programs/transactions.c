/*
 * The tests of Blum, "Practical Concurrency Testing", tables 6.2 and 6.4, that need more than a few lines: a transactional
 * AVL tree and hash map, locks made with transactions, and what is left of tree and map with a lock that is trusted.
 * Written anew. Arguments: which test, which lock, threads, times.
 */
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#undef no_sanitize
#define UNSEEN __attribute__((no_sanitize("thread"), unused))

enum lock { BUGGY, PLAIN, FIXED, SPINLOCK, SPIN_FIXED, MUTEX };
enum test { AVL, MAP, SECTION, FAST };

static enum lock lock_kind;
static enum test test_kind;
static int threads, times;
UNSEEN static enum lock lock_used(void) { return lock_kind; }
UNSEEN static enum test test_run(void) { return test_kind; }
UNSEEN static int thread_count(void) { return threads; }
UNSEEN static int rounds(void) { return times; }

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_locked, spin;

static int is_free(void) {
  if (lock_used() != SPINLOCK) return atomic_load_explicit(&spin, memory_order_relaxed) == 0;
  int expected = 0; /* a write all the same */
  return atomic_compare_exchange_strong(&spin, &expected, 0);
}

static void acquire(void) {
  switch (lock_used()) {
    case PLAIN: pthread_mutex_lock(&m); return;
    case BUGGY:
      if (_xbegin() == _XBEGIN_STARTED) return;
      break;
    case FIXED:
      if (_xbegin() == _XBEGIN_STARTED) {
        if (!atomic_load_explicit(&is_locked, memory_order_relaxed)) return;
        _xabort(0xff);
      }
      break;
    case MUTEX:
      while (1) {
        unsigned status = _xbegin();
        if (status == _XBEGIN_STARTED) {
          if (!atomic_load_explicit(&is_locked, memory_order_relaxed)) return;
          _xabort(0xff);
        }
        if (!(status & _XABORT_EXPLICIT)) break;
        while (atomic_load_explicit(&is_locked, memory_order_relaxed)) {}
      }
      break;
    default:
      while (1) {
        unsigned status = _xbegin();
        if (status == _XBEGIN_STARTED) {
          if (is_free()) return;
          _xabort(0xff);
        }
        if (!(status & _XABORT_EXPLICIT)) break;
        while (atomic_load_explicit(&spin, memory_order_relaxed)) {}
      }
      while (atomic_exchange(&spin, 1)) {}
      return;
  }
  pthread_mutex_lock(&m);
  atomic_store(&is_locked, 1);
}

static void release(void) {
  if (_xtest()) {
    _xend();
  } else if (lock_used() == SPINLOCK || lock_used() == SPIN_FIXED) {
    atomic_store(&spin, 0);
  } else {
    if (lock_used() != PLAIN) atomic_store(&is_locked, 0);
    pthread_mutex_unlock(&m);
  }
}

/* --- an AVL tree */

struct node {
  struct node *left, *right;
  int key, height;
};
static struct node *root;

static int height(const struct node *tree) { return tree ? tree->height : 0; }

static struct node *measured(struct node *tree) {
  int left = height(tree->left), right = height(tree->right);
  tree->height = 1 + (left > right ? left : right);
  return tree;
}

static struct node *turn_left(struct node *tree) {
  struct node *top = tree->right;
  tree->right = top->left;
  top->left = measured(tree);
  return measured(top);
}

static struct node *turn_right(struct node *tree) {
  struct node *top = tree->left;
  tree->left = top->right;
  top->right = measured(tree);
  return measured(top);
}

static struct node *balanced(struct node *tree) {
  if (height(tree->right) > height(tree->left) + 1) {
    if (height(tree->right->left) > height(tree->right->right)) tree->right = turn_right(tree->right);
    return turn_left(tree);
  }
  if (height(tree->left) > height(tree->right) + 1) {
    if (height(tree->left->right) > height(tree->left->left)) tree->left = turn_left(tree->left);
    return turn_right(tree);
  }
  return measured(tree);
}

static struct node *with(struct node *tree, struct node *fresh) {
  if (!tree) return fresh;
  if (fresh->key < tree->key) tree->left = with(tree->left, fresh);
  else tree->right = with(tree->right, fresh);
  return balanced(tree);
}

UNSEEN static int size_of(const struct node *tree) {
  return tree ? 1 + size_of(tree->left) + size_of(tree->right) : 0;
}

/* --- a hash map that grows */

struct entry {
  struct entry *next;
  int key;
};
static struct entry **buckets;
static int size = 1, used;

static void put(struct entry *entry) {
  struct entry **bucket = &buckets[entry->key % size];
  entry->next = *bucket;
  *bucket = entry;
}

static void add(struct entry *entry) {
  if (++used > size) {
    struct entry **old = buckets;
    buckets = calloc(2 * size, sizeof *buckets);
    size *= 2;
    for (int i = 0; i < size / 2; i++) {
      for (struct entry *next, *one = old[i]; one; one = next) {
        next = one->next;
        put(one);
      }
    }
    free(old);
  }
  put(entry);
}

UNSEEN static int count_entries(void) {
  int count = 0;
  for (int i = 0; i < size; i++)
    for (struct entry *entry = buckets[i]; entry; entry = entry->next) count++;
  return count;
}

/* --- what threads do */

static int inside, own[9];

static void section(void) {
  acquire();
  inside++;
  if (!_xtest()) sched_yield();
  assert(inside == 1);
  inside--;
  release();
}

static void fast(int self) {
  acquire();
  own[self]++;
  assert(_xtest());
  release();
}

static void *work(void *argument) {
  int self = (int)(long)argument;
  for (int i = 0; i < rounds(); i++) {
    int key = self * rounds() + i;
    if (test_run() == AVL) {
      struct node *fresh = calloc(1, sizeof *fresh);
      fresh->key = key;
      fresh->height = 1;
      acquire();
      root = with(root, fresh);
      release();
    } else if (test_run() == MAP) {
      struct entry *fresh = calloc(1, sizeof *fresh);
      fresh->key = key;
      acquire();
      add(fresh);
      release();
    } else if (test_run() == SECTION) {
      section();
    } else {
      fast(self);
    }
  }
  return 0;
}

UNSEEN int main(int argc, char **argv) {
  (void)argc;
  test_kind = atoi(argv[1]);
  lock_kind = atoi(argv[2]);
  threads = atoi(argv[3]);
  times = atoi(argv[4]);
  pthread_t ids[9];
  buckets = calloc(size, sizeof *buckets);
  for (int i = 0; i < thread_count(); i++) pthread_create(&ids[i], 0, work, (void *)(long)i);
  for (int i = 0; i < thread_count(); i++) pthread_join(ids[i], 0);
  if (test_run() == AVL) assert(size_of(root) == threads * times);
  if (test_run() == MAP) assert(count_entries() == threads * times);
  return 0;
}
