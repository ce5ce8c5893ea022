/*
 * A value handed from one thread to another by each kind of synchronisation, or by none: the first argument says which.
 * Under the C11 memory model only the last ones race.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#undef no_sanitize
#define UNSEEN __attribute__((no_sanitize("thread"), noinline))

static const char *kind;
UNSEEN static int is(const char *name) { return strcmp(kind, name) == 0; }

static int value;
static int ready;
static struct { int numbers[8]; } many;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static mtx_t cm;
static int *block;

static void initialise(void) { value = 7; }

static void *give(void *argument) {
  if (is("mutex") || is("trylock")) {
    pthread_mutex_lock(&m);
    value = 7;
    ready = 1;
    pthread_mutex_unlock(&m);
  } else if (is("recursive")) {
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    value = 7;
    pthread_mutex_unlock(&recursive);
    ready = 1;
    pthread_mutex_unlock(&recursive);
  } else if (is("condition")) {
    pthread_mutex_lock(&m);
    value = 7;
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  } else if (is("semaphore")) {
    value = 7;
    sem_post(&s);
  } else if (is("rwlock")) {
    pthread_rwlock_wrlock(&rw);
    value = 7;
    ready = 1;
    pthread_rwlock_unlock(&rw);
  } else if (is("barrier")) {
    value = 7;
    pthread_barrier_wait(&barrier);
  } else if (is("once")) {
    pthread_once(&once, initialise);
  } else if (is("spin")) {
    pthread_spin_lock(&spin);
    value = 7;
    ready = 1;
    pthread_spin_unlock(&spin);
  } else if (is("mtx")) {
    mtx_lock(&cm);
    value = 7;
    ready = 1;
    mtx_unlock(&cm);
  } else if (is("heap")) {
    block = malloc(sizeof *block);
    *block = 7;
    sem_post(&s);
  } else if (is("copy")) {
    for (int i = 0; i < 8; i++) many.numbers[i] = 7;
    sem_post(&s);
  } else if (is("reader")) {
    pthread_rwlock_rdlock(&rw);
    value = 7;
    ready = 1;
    pthread_rwlock_unlock(&rw);
  } else if (is("failed try")) {
    pthread_mutex_lock(&m);
    value = 7;
    pthread_mutex_unlock(&m);
  } else if (is("freed")) {
    free(block);
  } else value = 7;
  return argument;
}

static void *take(void *argument) {
  if (is("mutex")) {
    pthread_mutex_lock(&m);
    if (ready) assert(value == 7);
    pthread_mutex_unlock(&m);
  } else if (is("trylock")) {
    if (pthread_mutex_trylock(&m) == 0) {
      if (ready) assert(value == 7);
      pthread_mutex_unlock(&m);
    }
  } else if (is("recursive")) {
    pthread_mutex_lock(&recursive);
    if (ready) assert(value == 7);
    pthread_mutex_unlock(&recursive);
  } else if (is("condition")) {
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m);
    assert(value == 7);
    pthread_mutex_unlock(&m);
  } else if (is("semaphore")) {
    sem_wait(&s);
    assert(value == 7);
  } else if (is("rwlock") || is("reader")) {
    pthread_rwlock_rdlock(&rw);
    if (ready) assert(value == 7);
    pthread_rwlock_unlock(&rw);
  } else if (is("barrier")) {
    pthread_barrier_wait(&barrier);
    assert(value == 7);
  } else if (is("once")) {
    pthread_once(&once, initialise);
    assert(value == 7);
  } else if (is("spin")) {
    pthread_spin_lock(&spin);
    if (ready) assert(value == 7);
    pthread_spin_unlock(&spin);
  } else if (is("mtx")) {
    mtx_lock(&cm);
    if (ready) assert(value == 7);
    mtx_unlock(&cm);
  } else if (is("heap")) {
    sem_wait(&s);
    assert(*block == 7);
    free(block);
  } else if (is("copy")) {
    sem_wait(&s);
    __typeof__(many) copy = many;
    assert(copy.numbers[7] == 7);
  } else if (is("failed try")) {
    if (pthread_mutex_trylock(&m)) return value == 7 ? argument : NULL;
    pthread_mutex_unlock(&m);
  } else if (is("freed")) {
    return *block == 0 ? argument : NULL;
  } else return value == 7 ? argument : NULL;
  return argument;
}

UNSEEN int main(int argc, char **argv) {
  kind = argv[1];
  pthread_t threads[2];
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  sem_init(&s, 0, 0);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_spin_init(&spin, 0);
  mtx_init(&cm, mtx_plain);
  if (is("freed")) block = calloc(1, sizeof *block);
  pthread_create(&threads[0], 0, give, 0);
  if (is("join")) pthread_join(threads[0], 0);
  pthread_create(&threads[1], 0, take, 0);
  if (!is("join")) pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
