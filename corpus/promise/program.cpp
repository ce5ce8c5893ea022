/* Promise satisfied twice by two racing finishers. */
#include <atomic>
#include <cassert>
#include <future>
#include <thread>
std::promise<int> p; std::atomic<bool> done{false};
void finish(int v) {
#ifdef BUG
  if (!done) { done = true; p.set_value(v); }
#else
  if (!done.exchange(true)) p.set_value(v);
#endif
}
int main() {
  auto f = p.get_future();
  std::thread a(finish, 1), b(finish, 2);
  int v = f.get();
  assert(v == 1 || v == 2);
  a.join(); b.join();
}
