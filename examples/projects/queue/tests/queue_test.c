#include <assert.h>

#include "../src/pool.h"
#include "../src/total.h"

int main(void) {
  queue q;
  pool p;
  queue_init(&q);
  pool_start(&p, &q);
  queue_put(&q, item_new(1));
  queue_put(&q, item_new(2));
  pool_join(&p);
  assert(total_now() == 3);
  queue_destroy(&q);
  return 0;
}
