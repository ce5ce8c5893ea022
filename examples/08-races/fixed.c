// expect: verified
// The deposit is made under a lock. The race on `used` is still there: no schedule shows any harm, and with --races it
// is told all the same.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static int used;

static void *deposit(void *arg) {
  (void)arg;
  used = 1;
  pthread_mutex_lock(&mutex);
  balance += 10;
  pthread_mutex_unlock(&mutex);
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
