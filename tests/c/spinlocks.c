/* POSIX spin locks; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t l;
static int x;

static void *other(void *argument) {
#if CASE == 0
  assert(pthread_spin_trylock(&l) == EBUSY);
#elif CASE == 1 || CASE == 2
  pthread_spin_lock(&l);
  x++;
  if (CASE == 1) pthread_spin_unlock(&l);
#elif CASE == 4
  pthread_spin_unlock(&l);
#endif
  return argument;
}

int main(void) {
  pthread_t a, b;
  (void)a, (void)b;
#if CASE == 7
  l = 12345;
#else
  assert(pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE) == 0);
#endif
#if CASE == 0
  assert(pthread_spin_trylock(&l) == 0);
  pthread_create(&a, 0, other, 0);
  pthread_join(a, 0);
  assert(pthread_spin_unlock(&l) == 0);
  assert(pthread_spin_lock(&l) == 0);
  assert(pthread_spin_unlock(&l) == 0);
  assert(pthread_spin_destroy(&l) == 0);
#elif CASE == 1 || CASE == 2
  pthread_create(&a, 0, other, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
#elif CASE == 3
  pthread_spin_lock(&l);
  pthread_spin_lock(&l);
#elif CASE == 4
  pthread_spin_lock(&l);
  pthread_create(&a, 0, other, 0);
  pthread_join(a, 0);
#elif CASE == 5
  pthread_spin_unlock(&l);
#elif CASE == 6
  pthread_spin_lock(&l);
  pthread_spin_destroy(&l);
#elif CASE == 7
  pthread_spin_lock(&l);
#elif CASE == 8
  pthread_spin_destroy(&l);
  pthread_spin_lock(&l);
#endif
  return 0;
}
