/* Index published before the slot is written. */
#include <atomic>
#include <cassert>
#include <thread>
template <class T, size_t N> class Ring {
  T buf[N]; std::atomic<size_t> h{0}, t{0};
public:
  bool push(T v) {
    auto x = t.load(std::memory_order_relaxed);
    if (x - h.load(std::memory_order_acquire) == N) return false;
#ifdef BUG
    t.store(x + 1, std::memory_order_release); buf[x % N] = v;
#else
    buf[x % N] = v; t.store(x + 1, std::memory_order_release);
#endif
    return true;
  }
  bool pop(T &v) {
    auto x = h.load(std::memory_order_relaxed);
    if (x == t.load(std::memory_order_acquire)) return false;
    v = buf[x % N]; h.store(x + 1, std::memory_order_release); return true;
  }
};
int main() {
  static Ring<int, 2> r;
  std::thread p([] { for (int i = 1; i <= 3; i++) while (!r.push(i)) std::this_thread::yield(); });
  int want = 1;
  while (want <= 3) { int v; if (r.pop(v)) { assert(v == want); want++; } else std::this_thread::yield(); }
  p.join();
}
