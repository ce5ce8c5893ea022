// expect: bug assertion
// The head is the same slot again, but not the same list: what follows it is in use by now.
#include <atomic>
#include <cassert>
#include <thread>

// A lock-free list of three free slots; -1 is its end.
static std::atomic<int> head;
static std::atomic<int> next[3] = {1, 2, -1};
static int users[3];

static int take() {
  int slot = head;  // cause
  while (slot >= 0 && !head.compare_exchange_strong(slot, next[slot])) {  // cause
  }
  return slot;
}

static void give(int slot) {
  int old = head;
  do next[slot] = old;
  while (!head.compare_exchange_strong(old, slot));
}

int main() {
  std::thread other([] { take(); });
  int first = take();
  int second = take();
  users[second]++;
  give(first);
  other.join();
  int third = take();
  if (third >= 0) users[third]++;
  assert(users[second] == 1);
}
