/* POSIX spin locks; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include "case.h"

static pthread_spinlock_t l;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t m;
static int x;

static void *other(void *argument) {
  if (CASE == 0) {
    assert(pthread_spin_trylock(&l) == EBUSY);
  } else if (CASE == 1 || CASE == 2) {
    pthread_spin_lock(&l);
    x++;
    if (CASE == 1) pthread_spin_unlock(&l);
  } else if (CASE == 4) {
    pthread_spin_unlock(&l);
  } else if (CASE == 9) { /* tries until it has it, as do the next two */
    while (pthread_spin_trylock(&l)) {}
    x++;
    pthread_spin_unlock(&l);
  } else if (CASE == 10) {
    while (pthread_rwlock_trywrlock(&rw)) {}
    x++;
    pthread_rwlock_unlock(&rw);
  } else if (CASE == 11) {
    while (mtx_trylock(&m) != thrd_success) thrd_yield();
    x++;
    mtx_unlock(&m);
  }
  return argument;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t a, b;
  (void)a, (void)b;
  if (CASE == 7) {
    l = 12345;
  } else {
    assert(pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE) == 0);
  }
  if (CASE == 0) {
    assert(pthread_spin_trylock(&l) == 0);
    pthread_create(&a, 0, other, 0);
    pthread_join(a, 0);
    assert(pthread_spin_unlock(&l) == 0);
    assert(pthread_spin_lock(&l) == 0);
    assert(pthread_spin_unlock(&l) == 0);
    assert(pthread_spin_destroy(&l) == 0);
  } else if (CASE == 1 || CASE == 2 || CASE >= 9) {
    mtx_init(&m, mtx_plain);
    pthread_create(&a, 0, other, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
  } else if (CASE == 3) {
    pthread_spin_lock(&l);
    pthread_spin_lock(&l);
  } else if (CASE == 4) {
    pthread_spin_lock(&l);
    pthread_create(&a, 0, other, 0);
    pthread_join(a, 0);
  } else if (CASE == 5) {
    pthread_spin_unlock(&l);
  } else if (CASE == 6) {
    pthread_spin_lock(&l);
    pthread_spin_destroy(&l);
  } else if (CASE == 7) {
    pthread_spin_lock(&l);
  } else if (CASE == 8) {
    pthread_spin_destroy(&l);
    pthread_spin_lock(&l);
  }
  return 0;
}
