// expect: verified
// Picking one is atomic.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { connections = 2 };

static sem_t left;
static _Atomic int is_taken[connections];
static _Atomic int users[connections];

static void *user(void *arg) {
  sem_wait(&left);
  int mine = 0;
  while (atomic_exchange(&is_taken[mine], 1)) mine++;
  assert(atomic_fetch_add(&users[mine], 1) == 0);
  atomic_fetch_sub(&users[mine], 1);
  atomic_store(&is_taken[mine], 0);
  sem_post(&left);
  return arg;
}

int main(void) {
  sem_init(&left, 0, connections);
  pthread_t a, b;
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
