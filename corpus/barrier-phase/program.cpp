/* Completion function reads while others still write: missing second barrier. */
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>
int main() {
  const int n = 2;
  std::vector<int> cur{1, 2}, next(2);
  auto done = [&]() noexcept {
    static int step = 0; (void)step;
    cur.swap(next);
  };
  std::barrier b(n, done);
  auto work = [&](int i) {
    for (int s = 0; s < 2; s++) {
#ifdef BUG
      cur[i] = cur[i] + cur[1 - i];
      next[i] = cur[i];
#else
      next[i] = cur[i] + cur[1 - i];
#endif
      b.arrive_and_wait();
    }
  };
  std::thread a(work, 0), c(work, 1);
  a.join(); c.join();
  assert(cur[0] == 6 && cur[1] == 6);
}
