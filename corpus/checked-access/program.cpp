/* A bound is checked, then the vector shrinks: at() throws. */
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
std::mutex m; std::vector<int> v;
int checked(int i) {
#ifndef BUG
  std::lock_guard l(m);
#endif
  if (v.empty()) return -1;
  return v.at(i);
}
int main() {
  v = {1};
  std::thread a([] {
#ifndef BUG
    std::lock_guard l(m);
#endif
    v.clear(); });
  int r = checked(0);
  assert(r == 1 || r == -1);
  a.join();
}
