#include "future_pool.h"
#include <cassert>
#include <string>

static int half(int n) {
  if (n % 2 != 0) throw std::invalid_argument("odd");
  return n / 2;
}

int main() {
  FuturePool pool(1);
  std::future<int> good = pool.submit(half, 4);
  std::future<int> bad = pool.submit([](int n) { return half(n); }, 3);
  assert(good.get() == 2);
  std::string what;
  try {
    (void)bad.get();
  } catch (const std::logic_error &error) {
    what = error.what();
  }
  assert(what == "odd");
}
