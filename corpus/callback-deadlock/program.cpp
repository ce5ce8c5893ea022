/* Observer called with the lock held. */
#include <functional>
#include <mutex>
#include <thread>
#include <vector>
#include <cassert>
struct Subject {
  std::mutex m; std::vector<std::function<void(int)>> obs;
  void subscribe(std::function<void(int)> f) { std::lock_guard l(m); obs.push_back(std::move(f)); }
  void publish(int v) {
#ifdef BUG
    std::lock_guard l(m);
    for (auto &o : obs) o(v);
#else
    std::vector<std::function<void(int)>> copy;
    { std::lock_guard l(m); copy = obs; }
    for (auto &o : copy) o(v);
#endif
  }
};
struct View { std::mutex m; int last = 0; Subject &s; View(Subject &s) : s(s) {}
  void on(int v) { std::lock_guard l(m); last = v; }
  void refresh() { std::lock_guard l(m); s.subscribe([](int) {}); } };
int main() {
  Subject s; View v(s);
  s.subscribe([&](int x) { v.on(x); });
  std::thread a([&] { s.publish(1); }), b([&] { v.refresh(); });
  a.join(); b.join();
}
