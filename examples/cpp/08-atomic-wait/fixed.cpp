// expect: verified
// First the change, then the notify.
#include <atomic>
#include <thread>

static std::atomic<bool> done;

int main() {
  std::thread waiter([] { done.wait(false); });
  done = true;
  done.notify_one();
  waiter.join();
}
