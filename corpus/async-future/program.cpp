/* Two asyncs add to one total. */
#include <cassert>
#include <future>
#include <numeric>
#include <vector>
#include <mutex>
int total;
#ifndef BUG
std::mutex m;
#endif
int part(const std::vector<int> &v, size_t a, size_t b) {
  int s = std::accumulate(v.begin() + a, v.begin() + b, 0);
#ifndef BUG
  std::lock_guard g(m);
#endif
  total += s;
  return s;
}
int main() {
  std::vector<int> v{1, 2, 3, 4};
  auto f = std::async(std::launch::async, part, std::cref(v), 0, 2);
  auto g = std::async(std::launch::async, part, std::cref(v), 2, 4);
  int s = f.get() + g.get();
  assert(s == 10);
  assert(total == 10);
}
