// expect: bug invariant
// Two withdrawals look at the balance before either takes from it.
#include <faultline.h>
#include <pthread.h>

static int balance = 15;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int is_covered(void) { return balance >= 0; }

static void *withdraw(void *arg) {
  if (balance < 10) return arg;  // cause
  pthread_mutex_lock(&mutex);
  balance -= 10;  // cause
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t a, b;
  faultline_invariant(is_covered);
  pthread_create(&a, NULL, withdraw, NULL);
  pthread_create(&b, NULL, withdraw, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
