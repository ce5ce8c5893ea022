// The queue of Herlihy and Wing ("Linearizability", TOPLAS 1990, figure 11): who takes waits until something is there. Each of two
// threads puts a number and takes one. Arguments: the number of the first thread, and after how many looks at one slot after another a
// thread gives up and ends, or 0 for none.
#include <faultline.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int back, slots[4];
static int numbers[2] = {0, 10}, looks;

static void put(int number) {
  int i = atomic_fetch_add_explicit(&back, 1, memory_order_release);
  atomic_store_explicit(&slots[i + 1], number, memory_order_release);
}

static int take(void) {
  int range = atomic_load_explicit(&back, memory_order_acquire);
  for (int i = 0;; i++) {
    if (looks && i == looks) pthread_exit(NULL);
    if (i > range) break;
    // An empty slot holds 0, and so does one in which 0 was put.
    if (atomic_load_explicit(&slots[i], memory_order_acquire) == 0) continue;
    int number = atomic_exchange_explicit(&slots[i], 0, memory_order_acq_rel);
    if (number) return number;
  }
  // Another round of the loop that the published one has would only wait.
  faultline_assume(0);
  return 0;
}

static void *both(void *number) {
  put(*(int *)number);
  take();
  return NULL;
}

int main(int argc, char **argv) {
  numbers[0] = atoi(argv[1]);
  looks = atoi(argv[2]);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, both, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
