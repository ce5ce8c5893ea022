// expect: bug deadlock
// The notify comes before there is anything to notice: who waits by then sleeps on.
#include <atomic>
#include <thread>

static std::atomic<bool> done;

int main() {
  std::thread waiter([] { done.wait(false); });
  done.notify_one();  // cause
  done = true;  // cause
  waiter.join();
}
