// expect: bug assertion
// Two races: one that does no harm, since both threads write the same, and one that loses a deposit.
// faultline check --races --keep-going tells both.
#include <assert.h>
#include <pthread.h>

static int balance;
static int used;

static void *deposit(void *arg) {
  (void)arg;
  used = 1;
  balance += 10;  // cause
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, deposit, NULL);
  pthread_create(&b, NULL, deposit, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(used && balance == 20);
}
