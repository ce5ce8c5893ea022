/* A lock is set up again while it is held, and another thread waits for it: 1 a mutex, 2 a spin lock. */
#include <pthread.h>

#include "case.h"

static pthread_mutex_t m;
static pthread_spinlock_t s;
static int x;

static void *locks(void *unused) {
  if (CASE == 1) pthread_mutex_lock(&m);
  else pthread_spin_lock(&s);
  x = 1;
  if (CASE == 1) pthread_mutex_unlock(&m);
  else pthread_spin_unlock(&s);
  return unused;
}

static void setUp(void) {
  if (CASE == 1) pthread_mutex_init(&m, NULL);
  else pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t a;
  setUp();
  if (CASE == 1) pthread_mutex_lock(&m);
  else pthread_spin_lock(&s);
  pthread_create(&a, NULL, locks, NULL);
  setUp();
  if (CASE == 1 && pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);
  if (CASE == 2 && pthread_spin_trylock(&s) == 0) pthread_spin_unlock(&s);
  pthread_join(a, NULL);
}
