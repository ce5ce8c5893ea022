/* An account: whoever checks the balance assumes that both deposit and withdrawal are over. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100, is_deposited, is_withdrawn;

static void *deposit(void *unused) {
  pthread_mutex_lock(&lock);
  balance += 50;
  is_deposited = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *withdraw(void *unused) {
  pthread_mutex_lock(&lock);
  balance -= 30;
  is_withdrawn = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *check(void *unused) {
  pthread_mutex_lock(&lock);
#ifdef BUG
  if (is_deposited || is_withdrawn) assert(balance == 120); // cause
#else
  if (is_deposited && is_withdrawn) assert(balance == 120);
#endif
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  void *(*all[])(void *) = {deposit, withdraw, check};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, all[i], 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
