/* A counter changed under a shared lock. */
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>
std::atomic<long> n{0}; std::atomic<long> max_{0};
void visit(long v) {
  n.fetch_add(1, std::memory_order_relaxed);
#ifdef BUG
  if (v > max_.load()) max_.store(v);
#else
  long c = max_.load();
  while (v > c && !max_.compare_exchange_weak(c, v)) {}
#endif
}
int main() {
  std::vector<std::thread> t;
  for (long v : {5, 9, 7}) t.emplace_back(visit, v);
  for (auto &x : t) x.join();
  assert(n == 3 && max_ == 9);
}
