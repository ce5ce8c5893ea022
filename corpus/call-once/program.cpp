/* A flag instead of std::call_once. */
#include <cassert>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
std::once_flag f; std::optional<std::string> conf; int n; bool done;
const std::string &get() {
#ifdef BUG
  if (!done) { n++; conf = "loaded"; done = true; }
#else
  std::call_once(f, [] { n++; conf = "loaded"; });
#endif
  return *conf;
}
int main() {
  std::thread a([] { assert(get() == "loaded"); }), b([] { assert(get() == "loaded"); });
  a.join(); b.join();
  assert(n == 1);
}
