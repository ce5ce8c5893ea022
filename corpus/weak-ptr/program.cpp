/* Expired() then lock() without looking. */
#include <cassert>
#include <memory>
#include <thread>
struct S { int v = 3; };
int main() {
  auto p = std::make_shared<S>();
  std::weak_ptr<S> w = p;
  std::thread t([&] { p.reset(); });
#ifdef BUG
  if (!w.expired()) { auto q = w.lock(); assert(q->v == 3); }
#else
  if (auto q = w.lock()) assert(q->v == 3);
#endif
  t.join();
  assert(w.expired());
}
