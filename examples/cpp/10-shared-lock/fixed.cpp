// expect: verified
// A lock for writing.
#include <cassert>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int hits;

static void hit() {
  std::unique_lock<std::shared_mutex> lock(mutex);
  hits++;
}

int main() {
  std::thread one(hit);
  std::thread two(hit);
  one.join();
  two.join();
  assert(hits == 2);
}
