#include "lockfree_queue.h"
#include <cassert>
#include <thread>

static LockfreeQueue<int, 2> queue;

int main() {
  std::thread first([] { assert(queue.try_push(1)); });
  std::thread second([] { assert(queue.try_push(2)); });
  int early = 0;
  bool came = queue.try_pop(early);
  first.join();
  second.join();
  int sum = early + queue.pop();
  if (!came) sum += queue.pop();
  int left;
  assert(sum == 3 && !queue.try_pop(left));
}
