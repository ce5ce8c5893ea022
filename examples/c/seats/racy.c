// expect: bug invariant
// Two customers find the same seat free.
#include <faultline.h>
#include <pthread.h>
#include <stdatomic.h>

enum { seats = 2 };

static _Atomic int is_sold[seats];
static _Atomic int customers;

static int everybody_has_a_seat(void) {
  int sold = 0;
  for (int i = 0; i < seats; i++) sold += is_sold[i];
  return sold == customers;
}

static void *customer(void *arg) {
  for (int i = 0; i < seats; i++) {
    if (atomic_load(&is_sold[i])) continue;  // cause
    atomic_store(&is_sold[i], 1);  // cause
    atomic_fetch_add(&customers, 1);
    return arg;
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  faultline_at_end(everybody_has_a_seat);
  pthread_create(&a, NULL, customer, NULL);
  pthread_create(&b, NULL, customer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
