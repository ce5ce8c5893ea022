/* The programs of Blum, "Practical Concurrency Testing", chapter 6; the arguments choose one: CASE, threads, times. */
#include <assert.h>
#include <faultline.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef no_sanitize
#define UNSEEN __attribute__((no_sanitize("thread"), unused))

enum { COUNTER = 1, HTM1, HTM2, FIG63, SWAP, SWAPBUG, RETRIES, RETRIES_WITH_LOCK, UNDOES, NESTED, TOO_DEEP, PRINTS, ENDLESS,
       HELD_MUTEX, ALLOCATES, RETRIES_TWICE, WAITS, TOUCHES, ENDS_NONE,
       ENDS_INSIDE, COMMITS_HOLDING, UNLOCKS_INSIDE, CHOOSES, BUFFER, EXITS_INSIDE, ELIDES, FENCED, RELOCKS };

static int program, threads, times;
UNSEEN static int chosen(void) { return program; }
UNSEEN static int thread_count(void) { return threads; }
UNSEEN static int round_count(void) { return times; }

static int x, prevent, sums[4], places[4] = {0, 1, 2, 3}, busy[4];
static atomic_int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t locks[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void counter(void) {
  if (_xbegin() == _XBEGIN_STARTED) {
    atomic_store_explicit(&count, atomic_load_explicit(&count, memory_order_relaxed) + 1, memory_order_relaxed);
    _xend();
  } else {
    atomic_fetch_add(&count, 1);
  }
}

static void htm1(void) {
  if (_xbegin() == _XBEGIN_STARTED) {
    x++;
    _xend();
  } else {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
  }
}

static void htm2(void) {
  if (_xbegin() == _XBEGIN_STARTED) {
    if (prevent) _xabort(1);
    x++;
    _xend();
  } else {
    pthread_mutex_lock(&m);
    prevent = 1;
    if (chosen() == FENCED) atomic_thread_fence(memory_order_seq_cst);
    x++;
    prevent = 0;
    pthread_mutex_unlock(&m);
  }
}

static void fig63(int self) {
  if (_xbegin() == _XBEGIN_STARTED) {
    sums[self]++;
    _xend();
  } else {
    int sum = 0;
    for (int i = 0; i < thread_count(); i++) sum += sums[i];
    assert(sum < thread_count() * round_count());
  }
}

static void swap(int one, int other, int ordered) {
  if (_xbegin() == _XBEGIN_STARTED) {
    if (busy[one]) _xabort(1);
    if (busy[other]) _xabort(1);
    int p = places[one], q = places[other];
    places[one] = q;
    places[other] = p;
    _xend();
  } else {
    int first = ordered && one > other ? other : one;
    int second = one + other - first;
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[second]);
    busy[one] = 1;
    busy[other] = 1;
    int p = places[one], q = places[other];
    places[one] = q;
    places[other] = p;
    busy[one] = 0;
    busy[other] = 0;
    pthread_mutex_unlock(&locks[second]);
    pthread_mutex_unlock(&locks[first]);
  }
}

static void retries(void) {
  while (_xbegin() != _XBEGIN_STARTED) {}
  x++;
  _xend();
}

/* A lock that others may hold; a transaction gives up while they do. */
static void retries_with_lock(void) {
  unsigned status;
  do {
    status = _xbegin();
    if (status == _XBEGIN_STARTED) {
      if (prevent) _xabort(7);
      x++;
      _xend();
      return;
    }
  } while (status & _XABORT_EXPLICIT);
  pthread_mutex_lock(&m);
  prevent = 1;
  x++;
  prevent = 0;
  pthread_mutex_unlock(&m);
}

/* Three attempts, and then again three. */
static void retries_twice(void) {
  for (;;) {
    for (int i = 0; i < 2; i++) {
      if (_xbegin() != _XBEGIN_STARTED) continue;
      x++;
      _xend();
      return;
    }
  }
}

/* Waits in a transaction until the other thread has been there. */
static void waits(int self) {
  if (self == 1) {
    atomic_store(&count, 1);
    return;
  }
  while (_xbegin() != _XBEGIN_STARTED) {}
  if (!atomic_load_explicit(&count, memory_order_relaxed)) _xabort(0);
  _xend();
}

static _Thread_local int own = 1;

/* Locals, what lies on the stack of others, statics, thread-local data, the heap. */
static void undoes(int *of_main) {
  int here = 1, *block = malloc(sizeof *block);
  volatile int there[40] = {1};
  *block = x = *of_main = 1;
  unsigned status = _xbegin();
  if (status == _XBEGIN_STARTED) {
    here = there[0] = there[39] = *block = x = own = *of_main = 2;
    int *more = malloc(sizeof *more);
    *more = here;
    free(block);
    assert(_xtest());
    _xabort(200);
  }
  assert(!_xtest());
  assert(here == 1 && there[0] == 1 && there[39] == 0 && *block == 1 && x == 1 && own == 1 && *of_main == 1);
  assert(status == _XABORT_RETRY || (status & _XABORT_EXPLICIT && _XABORT_CODE(status) == 200));
  free(block);
  _xabort(1);
}

static void inner(int depth) {
  if (_xbegin() != _XBEGIN_STARTED) assert(!"only the outermost begin returns twice");
  x++;
  if (depth > 1) inner(depth - 1);
  if (depth < 0) _xabort(3);
  _xend();
}

static void nested(void) {
  unsigned status = _xbegin();
  if (status == _XBEGIN_STARTED) {
    inner(3);
    assert(_xtest());
    _xend();
    assert(!_xtest());
    assert(x == 3);
    return;
  }
  assert(status == _XABORT_RETRY && x == 0);
  status = _xbegin();
  if (status == _XBEGIN_STARTED) inner(-1);
  assert(x == 0 && (status == _XABORT_RETRY || _XABORT_CODE(status) == 3));
}

static void too_deep(void) {
  unsigned status = _xbegin();
  if (status == _XBEGIN_STARTED) {
    inner(7);
    _xend();
  }
  assert(x == 0 && (status == _XABORT_RETRY || status == _XABORT_NESTED));
}

static void prints(void) {
  unsigned status = _xbegin();
  if (status == _XBEGIN_STARTED) {
    x = 1;
    printf("never seen\n");
    _xend();
  }
  assert(x == 0 && (status == _XABORT_RETRY || status == _XABORT_CAPACITY));
}

static void touches(void) {
  unsigned status = _xbegin();
  if (status == _XBEGIN_STARTED) {
    x = prevent = sums[0] = 1;
    _xend();
  }
  assert(x == 0 && status == _XABORT_CAPACITY);
}

static void endless(void) {
  unsigned status = _xbegin();
  if (status == _XBEGIN_STARTED) {
    while (!prevent) {}
    _xend();
  }
  assert(status == _XABORT_RETRY || status == _XABORT_CAPACITY);
}

static void held_mutex(void) {
  pthread_mutex_lock(&m);
  unsigned status = _xbegin();
  if (status == _XBEGIN_STARTED) {
    x = 1;
    pthread_mutex_t *other = &locks[0];
    pthread_mutex_lock(other);
    x++;
    pthread_mutex_unlock(other);
    assert(pthread_mutex_trylock(&m) != 0);
    _xend();
    assert(x == 2);
  }
  pthread_mutex_unlock(&m);
}

struct list {
  struct list *next;
  int value;
};
static struct list *all;

static void allocates(void) {
  for (int i = 0; i < 3; i++) {
    struct list *fresh = 0;
    unsigned status = _xbegin();
    if (status == _XBEGIN_STARTED) {
      fresh = malloc(sizeof *fresh);
      memset(fresh, 0, sizeof *fresh);
      fresh->value = i;
      fresh->next = all;
      all = fresh;
      if (i == 1) _xabort(9);
      _xend();
    } else {
      assert(!fresh);
    }
  }
  while (all) {
    struct list *first = all;
    assert(first->value != 1);
    all = first->next;
    free(first);
  }
}

/* A buffer of one place. */
static int place, received[2];

static void put(void *value) {
  if (place) faultline_retry();
  place = *(int *)value;
}

static void buffer(int self) {
  for (int i = 0; i < 2; i++) {
    if (self == 0) {
      int value = i + 1;
      faultline_atomically(put, &value);
    } else {
      FAULTLINE_ATOMICALLY {
        if (!place) faultline_retry();
        received[i] = place;
        place = 0;
      }
    }
  }
  if (self == 1) assert(received[0] == 1 && received[1] == 2);
}

/* A lock that is left out where a transaction does as well. */
static void elides(void) {
  if (_xbegin() == _XBEGIN_STARTED) {
    if (atomic_load(&count)) _xabort(1);
  } else {
    while (atomic_exchange(&count, 1)) {}
  }
  x++;
  if (_xtest()) _xend();
  else atomic_store(&count, 0);
}

static void misuses(void) {
  switch (chosen()) {
    case ENDS_NONE: _xend(); break;
    case ENDS_INSIDE: _xbegin(); break;
    case EXITS_INSIDE:
      if (_xbegin() == _XBEGIN_STARTED) pthread_exit(0);
      break;
    case COMMITS_HOLDING:
      if (_xbegin() == _XBEGIN_STARTED) {
        pthread_mutex_lock(&m);
        _xend();
        pthread_mutex_unlock(&m);
      }
      break;
    case RELOCKS:
      if (_xbegin() == _XBEGIN_STARTED) {
        pthread_mutex_lock(&m);
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        _xend();
      }
      break;
    case UNLOCKS_INSIDE:
      pthread_mutex_lock(&m);
      if (_xbegin() == _XBEGIN_STARTED) {
        pthread_mutex_unlock(&m);
        _xend();
      } else {
        pthread_mutex_unlock(&m);
      }
      break;
    case CHOOSES:
      if (_xbegin() == _XBEGIN_STARTED) {
        x = faultline_choose(2);
        _xend();
      }
      break;
  }
}

static void *worker(void *argument) {
  int self = (int)(long)argument;
  int size = thread_count() > 2 ? thread_count() : 2;
  for (int i = 0; i < round_count(); i++) {
    switch (chosen()) {
      case COUNTER: counter(); break;
      case HTM1: htm1(); break;
      case HTM2:
      case FENCED: htm2(); break;
      case FIG63: fig63(self); break;
      case SWAP: swap(self, (self + 1) % size, 1); break;
      case SWAPBUG: swap(self, (self + 1) % size, 0); break;
      case RETRIES: retries(); break;
      case RETRIES_WITH_LOCK: retries_with_lock(); break;
      case RETRIES_TWICE: retries_twice(); break;
      case WAITS: waits(self); break;
      case NESTED: nested(); break;
      case TOO_DEEP: too_deep(); break;
      case PRINTS: prints(); break;
      case TOUCHES: touches(); break;
      case ENDLESS: endless(); break;
      case HELD_MUTEX: held_mutex(); break;
      case ALLOCATES: allocates(); break;
      case BUFFER: buffer(self); break;
      case ELIDES: elides(); break;
      default: misuses();
    }
  }
  return 0;
}

UNSEEN int main(int argc, char **argv) {
  (void)argc;
  program = atoi(argv[1]);
  threads = atoi(argv[2]);
  times = atoi(argv[3]);
  pthread_t ids[4];
  int of_main = 0;
  if (chosen() == UNDOES) {
    undoes(&of_main);
    return 0;
  }
  for (int i = 0; i < thread_count(); i++) pthread_create(&ids[i], 0, worker, (void *)(long)i);
  for (int i = 0; i < thread_count(); i++) pthread_join(ids[i], 0);
  if (chosen() == COUNTER) assert(atomic_load_explicit(&count, memory_order_relaxed) == threads * times);
  if (chosen() == HTM1 || chosen() == HTM2 || (chosen() >= RETRIES && chosen() <= RETRIES_WITH_LOCK) || chosen() == RETRIES_TWICE || chosen() >= ELIDES)
    assert(x == threads * times);
  return 0;
}
