// expect: verified
// Both transfers take the locks in the same order: by address.
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t mutex;
  int balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount) {
  struct account *first = from < to ? from : to;
  struct account *second = from < to ? to : from;
  pthread_mutex_lock(&first->mutex);
  pthread_mutex_lock(&second->mutex);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->mutex);
  pthread_mutex_unlock(&first->mutex);
}

static void *alice_pays(void *arg) {
  transfer(&alice, &bob, 10);
  return arg;
}

static void *bob_pays(void *arg) {
  transfer(&bob, &alice, 20);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, alice_pays, NULL);
  pthread_create(&b, NULL, bob_pays, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(alice.balance == 110 && bob.balance == 90);
}
