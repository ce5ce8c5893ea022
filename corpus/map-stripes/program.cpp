/* Size() of a striped map adds stripes one by one. */
#include <array>
#include <cassert>
#include <mutex>
#include <thread>
#include <unordered_map>
struct Striped {
  struct S { std::mutex m; std::unordered_map<int, int> d; };
  std::array<S, 2> s;
  void put(int k, int v) { auto &x = s[k & 1]; std::lock_guard l(x.m); x.d[k] = v; }
  void move(int from, int to) {
    std::scoped_lock l(s[0].m, s[1].m);
    auto &a = s[from & 1].d; int v = a[from]; a.erase(from); s[to & 1].d[to] = v;
  }
  size_t size() {
#ifdef BUG
    size_t n = 0; for (auto &x : s) { std::lock_guard l(x.m); n += x.d.size(); } return n;
#else
    std::scoped_lock l(s[0].m, s[1].m); return s[0].d.size() + s[1].d.size();
#endif
  }
};
int main() {
  Striped t; t.put(2, 7);
  std::thread a([&] { t.move(2, 3); });
  assert(t.size() == 1);
  a.join();
}
