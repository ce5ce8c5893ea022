#include "lru_cache.h"
#include <cassert>
#include <stdexcept>
#include <thread>

static int square(const int &n) {
  if (n < 0) throw std::domain_error("negative");
  return n * n;
}

int main() {
  LruCache<int, int> cache(2, square);
  std::thread other([&] { assert(*cache.get(3) == 9); });
  assert(*cache.get(3) == 9);
  other.join();
  assert(cache.size() == 1);
  try {
    cache.get(-1);
    assert(false);
  } catch (const std::domain_error &) {
  }
  cache.get(4);
  cache.get(5);
  assert(cache.size() == 2 && cache.holds(5));
}
