/*
 * Runs scripts given as arguments, one per thread: numbers of up to five operations of six bits each, the first in the
 * low bits, then two bits that tell the thread. The argument before them says how main goes about it. The operations
 * are those of tests/audit/scripts.ts, in that order: what model programs lack, and what to put beside it.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* One after the other in memory, so that accesses of several sizes overlap. */
static union {
  struct {
    volatile int x, y;
  };
  volatile int64_t both;
  volatile short halves[4];
  volatile char bytes[8];
} v;
static struct {
  int one, two, three, four;
} from = {1, 2, 3, 4}, to;
static union {
  atomic_int a;
  atomic_uchar bytes[4];
} u;
static atomic_int flag;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b;
static sem_t s;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int *_Atomic block;
/* For those who cancel; all else is kept where only its thread sees it, since accesses that all see are steps. */
static pthread_t threads[4];
static int count;
static const struct timespec soon;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
static void initialise(void) { v.x = 1; }
static void destroy(void *value) { v.y = (int)(intptr_t)value; }
static void *child(void *unused) {
  v.x = 2;
  return unused;
}

static int wait(int timed) {
  volatile int result;
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  result = timed ? pthread_cond_timedwait(&c, &m, &soon) : pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1);
  return result != 0;
}

static int compareExchange(int expected, int desired) {
  atomic_compare_exchange_strong(&u.a, &expected, desired);
  return expected;
}

static void *run(void *argument) {
  unsigned script = (unsigned)(uintptr_t)argument >> 2;
  int id = (int)((uintptr_t)argument & 3);
  int locks = 0, rwlocks = 0;
  void *result;
  pthread_t made;
  intptr_t seen = 0;
  int *mine;
  for (; script != 0; script >>= 6) {
    int now = 0;
    switch (script & 63) {
      case 1: now = v.x; break;
      case 2: v.x = 1; break;
      case 3: v.x = 2; break;
      case 4: now = v.y; break;
      case 5: v.y = 1; break;
      case 6: v.bytes[0] = 1; break;
      case 7: now = v.halves[1]; break;
      case 8: v.both = 1; break;
      case 9: now = (int)(v.both & 3); break;
      case 10: to = from; break;
      case 11: from.three = 5; break;
      case 12: memset(&to, 0, sizeof to); break;
      case 13: now = to.four; break;
      case 14: now = atomic_fetch_add(&u.a, 1); break;
      case 15: now = atomic_fetch_or(&u.a, 2); break;
      case 16: now = atomic_fetch_and(&u.a, 1); break;
      case 17: now = atomic_exchange(&u.a, 2); break;
      case 18: now = atomic_exchange(&u.a, 0); break;
      case 19: now = compareExchange(0, 0); break;
      case 20: now = compareExchange(0, 2); break;
      case 21: now = compareExchange(2, 1); break;
      case 22: now = compareExchange(2, 2); break;
      case 23: atomic_store(&u.a, 2); break;
      case 24: now = atomic_fetch_or(&u.bytes[0], 1); break;
      case 25: now = atomic_load(&u.a); break;
      case 26: locks += pthread_mutex_lock(&m) == 0; break;
      case 27:
        if (locks) locks -= pthread_mutex_unlock(&m) == 0;
        break;
      case 28: locks += now = pthread_mutex_trylock(&m) == 0; break;
      case 29: locks += now = pthread_mutex_timedlock(&m, &soon) == 0; break;
      case 30: rwlocks += pthread_rwlock_rdlock(&rw) == 0; break;
      case 31: rwlocks += pthread_rwlock_wrlock(&rw) == 0; break;
      case 32:
        if (rwlocks) rwlocks -= pthread_rwlock_unlock(&rw) == 0;
        break;
      case 33: rwlocks += now = pthread_rwlock_tryrdlock(&rw) == 0; break;
      case 34: rwlocks += now = pthread_rwlock_trywrlock(&rw) == 0; break;
      case 35: rwlocks += now = pthread_rwlock_timedrdlock(&rw, &soon) == 0; break;
      case 36: rwlocks += now = pthread_rwlock_timedwrlock(&rw, &soon) == 0; break;
      case 37: sem_post(&s); break;
      case 38: sem_wait(&s); break;
      case 39: now = sem_trywait(&s) == 0; break;
      case 40: now = sem_timedwait(&s, &soon) == 0; break;
      case 41: now = pthread_barrier_wait(&b) != 0; break;
      case 42: now = wait(0); break;
      case 43: now = wait(1); break;
      case 44: pthread_cond_signal(&c); break;
      case 45: pthread_cond_broadcast(&c); break;
      case 46: pthread_once(&once, initialise); break;
      case 47: pthread_setspecific(key, (void *)(intptr_t)(id + 1)); break;
#ifdef CANCELS
      case 48: pthread_cancel(threads[(id + 1) % count]); break;
#endif
      case 49: pthread_testcancel(); break;
      case 50: pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0); break;
      case 51: pthread_exit((void *)seen); break;
      case 52: exit(0); break;
      case 53:
        pthread_create(&made, 0, child, 0);
        pthread_detach(made);
        break;
      case 54:
        pthread_create(&made, 0, child, 0);
        pthread_join(made, &result);
        break;
      case 55: assert(v.x != 1); break;
      case 56: assert(atomic_load(&u.a) != 2); break;
      case 57: atomic_store(&block, malloc(8)); break;
      case 58: free(atomic_exchange(&block, 0)); break;
      case 59:
        if ((mine = atomic_load(&block))) *mine = id;
        break;
      case 60:
        if ((mine = atomic_load(&block))) now = *mine & 3;
        break;
      case 61: usleep(1); break;
      case 62:
        while (!atomic_load(&flag)) {
        }
        break;
      case 63: atomic_store(&flag, 1); break;
    }
    seen = seen * 8 + (now & 7);
  }
  return (void *)seen;
}

/* Ways: add 1 to begin with a semaphore of 1, 2 for a barrier of three, 4 to return without joining, 8 if somebody cancels. */
int main(int argc, char **argv) {
  int way = atoi(argv[1]), n = argc - 2;
  pthread_t made[4];
  unsigned long scripts[4];
  void *result[4];
  count = n;
  sem_init(&s, 0, way & 1);
  pthread_barrier_init(&b, 0, way & 2 ? 3 : 2);
  pthread_key_create(&key, destroy);
  for (int i = 0; i < n; i++) scripts[i] = strtoul(argv[i + 2], 0, 10);
  for (int i = 0; i < n; i++) {
    pthread_create(&made[i], 0, run, (void *)scripts[i]);
    if (way & 8) threads[i] = made[i];
  }
  if (way & 4) return 0;
  for (int i = 0; i < n; i++) pthread_join(made[i], &result[i]);
  /* Only now: what is printed while somebody calls exit gets out or not, and nobody is promised which. */
  for (int i = 0; i < n; i++) printf("%d ", (int)(intptr_t)result[i]);
  printf("%d %d %d %d", v.x, v.y, atomic_load(&u.a), to.three);
  return 0;
}
