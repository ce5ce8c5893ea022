// expect: verified
// Every way out counts down.
#include <atomic>
#include <latch>
#include <thread>

static std::latch finished(2);
static std::atomic<int> tasks = 2;

static void worker() {
  int mine = tasks;
  if (mine > 0) tasks -= mine;
  finished.count_down();
}

int main() {
  std::thread one(worker);
  std::thread two(worker);
  finished.wait();
  one.join();
  two.join();
}
