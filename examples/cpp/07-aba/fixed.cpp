// expect: verified
// A count beside the slot tells an old head from a new one.
#include <atomic>
#include <cassert>
#include <thread>

struct Head {
  short slot;
  short count;
};

// A lock-free list of three free slots; -1 is its end.
static std::atomic<Head> head;
static std::atomic<int> next[3] = {1, 2, -1};
static int users[3];

static int take() {
  Head old = head;
  while (old.slot >= 0 && !head.compare_exchange_strong(old, Head{short(next[old.slot]), short(old.count + 1)})) {
  }
  return old.slot;
}

static void give(int slot) {
  Head old = head;
  do next[slot] = old.slot;
  while (!head.compare_exchange_strong(old, Head{short(slot), short(old.count + 1)}));
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
