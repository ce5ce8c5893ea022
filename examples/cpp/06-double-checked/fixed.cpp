// expect: verified
// First the value, then the flag.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::atomic<bool> ready;
static int value;

static int get() {
  if (!ready) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!ready) {
      value = 42;
      ready = true;
    }
  }
  return value;
}

int main() {
  std::thread one([] { assert(get() == 42); });
  std::thread two([] { assert(get() == 42); });
  one.join();
  two.join();
}
