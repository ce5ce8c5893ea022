// expect: bug assertion
// Looking and taking are two steps: two threads can both find the lock free.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> locked;
static int count;

static void lock() {
  while (locked) std::this_thread::yield();  // cause
  locked = true;  // cause
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
