#include <assert.h>
#include <pthread.h>

#include "../src/total.h"

static void *add(void *unused) {
  total_add(2);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, add, 0);
  total_add(1);
  pthread_join(other, 0);
  assert(total_now() == 3);
  return 0;
}
