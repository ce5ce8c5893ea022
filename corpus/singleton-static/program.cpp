/* A singleton made by whoever finds a null pointer. */
#include <cassert>
#include <memory>
#include <thread>
struct Registry { int n = 0; Registry() { n = 1; } static Registry &get() {
#ifdef BUG
  static Registry *r = nullptr; if (!r) { r = new Registry; made++; } return *r;
#else
  static Registry r; return r;
#endif
  } static inline int made = 0; };
int main() {
  Registry *a, *b;
  std::thread t([&] { a = &Registry::get(); }), u([&] { b = &Registry::get(); });
  t.join(); u.join();
  assert(a == b && a->n == 1);
}
