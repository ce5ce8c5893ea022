// expect: bug assertion
// A lock for reading is held by several at once: not enough for counting.
#include <cassert>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int hits;

static void hit() {
  std::shared_lock<std::shared_mutex> lock(mutex);
  hits++;  // cause
}

int main() {
  std::thread one(hit);
  std::thread two(hit);
  one.join();
  two.join();
  assert(hits == 2);
}
