// expect: verified
// Looking and taking in one step.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> locked;
static int count;

static void lock() {
  while (locked.exchange(true)) std::this_thread::yield();
}

static void unlock() { locked = false; }

static void add() {
  lock();
  count++;
  unlock();
}

int main() {
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
  assert(count == 2);
}
