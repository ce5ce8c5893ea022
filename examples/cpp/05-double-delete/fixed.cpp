// expect: verified
// One step takes the buffer away from everybody else.
#include <atomic>
#include <thread>

static std::atomic<int *> buffer = new int[4]();

static void close() { delete[] buffer.exchange(nullptr); }

int main() {
  std::thread one(close);
  std::thread two(close);
  one.join();
  two.join();
}
