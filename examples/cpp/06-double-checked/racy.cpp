// expect: bug assertion
// The flag says ready before it is so, and who looks at the flag alone believes it.
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
      ready = true;  // cause
      value = 42;  // cause
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
