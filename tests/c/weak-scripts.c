/*
 * Runs small programs given as arguments, one per thread: ten characters per instruction. tests/memory/run-c.ts writes
 * them. Only what the instructions themselves access is seen.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#undef no_sanitize
#define UNSEEN __attribute__((no_sanitize("thread"), noinline))

enum { THREADS = 6, LOCATIONS = 3, REGISTERS = 24 };

static atomic_int memory[LOCATIONS];
static pthread_mutex_t mutexes[2];
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int registers[THREADS][REGISTERS];
static char uses[THREADS][REGISTERS];
static const char *scripts[THREADS];

static int read_plainly(int *p) { return *p; }
static void write_plainly(int *p, int value) { *p = value; }

UNSEEN static int order_of(char c) { return (int)(strchr("rcalbs", c) - "rcalbs"); }
UNSEEN static int number(const char *s) { return 10 * (s[0] - '0') + s[1] - '0'; }

UNSEEN static void store_once(void) { atomic_store_explicit(&memory[0], 7, memory_order_relaxed); }

UNSEEN static int compare_exchange(atomic_int *p, int *expected, int value, int order, int failure) {
#define FAILURE(o)                                                                                     \
  (failure == 5   ? atomic_compare_exchange_strong_explicit(p, expected, value, o, memory_order_seq_cst) \
   : failure == 2 ? atomic_compare_exchange_strong_explicit(p, expected, value, o, memory_order_acquire) \
                  : atomic_compare_exchange_strong_explicit(p, expected, value, o, memory_order_relaxed))
  switch (order) {
    case 0: return FAILURE(memory_order_relaxed);
    case 2: return FAILURE(memory_order_acquire);
    case 3: return FAILURE(memory_order_release);
    case 4: return FAILURE(memory_order_acq_rel);
    default: return FAILURE(memory_order_seq_cst);
  }
}

UNSEEN static void *run(void *argument) {
  int thread = (int)(long)argument;
  int *r = registers[thread];
  for (const char *s = scripts[thread]; *s; s += 10) {
    atomic_int *at = &memory[(s[1] - '0') % LOCATIONS];
    int order = s[2] == 'n' ? -1 : order_of(s[2]);
    int into = s[4] - 'a';
    int value = number(s + 6) + (s[5] == '-' ? 0 : r[s[5] - 'a']);
    int seen = number(s + 8);
    switch (s[0]) {
      case 'R': seen = order < 0 ? read_plainly((int *)at) : atomic_load_explicit(at, order); break;
      case 'W':
        if (order < 0) write_plainly((int *)at, value);
        else atomic_store_explicit(at, value, order);
        break;
      case 'X': seen = atomic_exchange_explicit(at, value, order); break;
      case 'A': seen = atomic_fetch_add_explicit(at, value, order); break;
      case 'C': compare_exchange(at, &seen, value, order, order_of(s[3])); break;
      case 'F': atomic_thread_fence(order); break;
      case 'L': pthread_mutex_lock(&mutexes[s[1] - '0']); break;
      case 'U': pthread_mutex_unlock(&mutexes[s[1] - '0']); break;
      case 'T': seen = pthread_mutex_trylock(&mutexes[s[1] - '0']) != 0; break;
      case 'D': if (value == 0) pthread_mutex_unlock(&mutexes[s[1] - '0']); break;
      case 'c': pthread_cond_wait(&condition, &mutexes[s[1] - '0']); break;
      case 's': pthread_cond_signal(&condition); break;
      case 'b': pthread_cond_broadcast(&condition); break;
      case 'p': sem_post(&semaphore); break;
      case 'q': sem_wait(&semaphore); break;
      case 't': seen = sem_trywait(&semaphore) != 0; break;
      case 'r': pthread_rwlock_rdlock(&rwlock); break;
      case 'w': pthread_rwlock_wrlock(&rwlock); break;
      case 'v': seen = pthread_rwlock_trywrlock(&rwlock) != 0; break;
      case 'u': if (value == 0) pthread_rwlock_unlock(&rwlock); break;
      case 'B': pthread_barrier_wait(&barrier); break;
      case 'o': pthread_once(&once, store_once); break;
    }
    if (s[4] != '-') {
      r[into] = seen;
      uses[thread][into] = 1;
    }
  }
  return 0;
}

UNSEEN int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  // @N: a semaphore with that count, a barrier for two, and the second mutex recursive.
  if (argc > 1 && argv[1][0] == '@') {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutexes[1], &recursive);
    sem_init(&semaphore, 0, argv[1][1] - '0');
    pthread_barrier_init(&barrier, 0, 2);
    argc--;
    argv++;
  }
  for (int i = 1; i < argc; i++) scripts[i - 1] = argv[i];
  for (int i = 1; i < argc; i++) pthread_create(&threads[i], 0, run, (void *)(long)(i - 1));
  for (int i = 1; i < argc; i++) pthread_join(threads[i], 0);
#ifdef SILENT
  return 0;
#endif
  for (int i = 0; i < LOCATIONS; i++) printf("%c=%d ", 'x' + i, *(volatile int *)&memory[i]);
  for (int t = 0; t < argc - 1; t++)
    for (int i = 0; i < REGISTERS; i++)
      if (uses[t][i]) printf("%d:r%d=%d ", t, i, registers[t][i]);
  return 0;
}
