/* Unordered_map and vector without lock. */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
std::mutex m; std::vector<int> v; std::unordered_map<std::string, int> um;
void add(int base) {
  for (int i = 0; i < 2; i++) {
#ifndef BUG
    std::scoped_lock l(m);
#endif
    v.push_back(base + i);
    um["k" + std::to_string(base + i)] = i;
  }
}
int main() {
  std::thread a(add, 10), b(add, 20);
  a.join(); b.join();
  assert(v.size() == 4 && um.size() == 4);
}
