/* Forks taken one by one instead of by one std::scoped_lock. */
#include <array>
#include <mutex>
#include <thread>
#include <vector>
#include <string>
#include <iostream>
struct Fork { std::mutex m; };
int main() {
  std::array<Fork, 3> f;
  std::vector<std::thread> p;
  for (int i = 0; i < 3; i++)
    p.emplace_back([&f, i] {
#ifdef BUG
      std::unique_lock a(f[i].m); std::unique_lock b(f[(i + 1) % 3].m);
#else
      std::scoped_lock l(f[i].m, f[(i + 1) % 3].m);
#endif
      std::cout << "philosopher " << i << " eats\n";
    });
  for (auto &t : p) t.join();
}
