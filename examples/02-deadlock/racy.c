// expect: bug deadlock
// Two transfers in opposite directions take the two locks in opposite orders.
#include <pthread.h>

struct account {
  pthread_mutex_t mutex;
  int balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount) {
  pthread_mutex_lock(&from->mutex);  // cause
  pthread_mutex_lock(&to->mutex);  // cause
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->mutex);
  pthread_mutex_unlock(&from->mutex);
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
}
