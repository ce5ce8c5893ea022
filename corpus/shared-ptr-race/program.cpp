/* One shared_ptr object assigned and copied by two threads. */
#include <memory>
#include <thread>
#include <mutex>
#include <cassert>
std::shared_ptr<int> g = std::make_shared<int>(1);
std::mutex m;
int main() {
  std::thread a([] {
#ifndef BUG
    std::lock_guard l(m);
#endif
    g = std::make_shared<int>(2);
  });
  std::shared_ptr<int> mine;
  {
#ifndef BUG
    std::lock_guard l(m);
#endif
    mine = g;
  }
  assert(*mine == 1 || *mine == 2);
  a.join();
}
