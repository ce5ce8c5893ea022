/* Notify before the store. */
#include <atomic>
#include <thread>
#include <cassert>
std::atomic<int> stage{0}; int data;
int main() {
  std::thread c([] { stage.wait(0); assert(data == 9); stage.store(2);
#ifndef BUG
    stage.notify_one();
#endif
  });
  data = 9; stage.store(1);
  stage.notify_one();
  stage.wait(1);
  c.join();
  assert(stage == 2);
}
