/* Bounded MPMC (sequence numbers) with plain store of the position. */
#include <atomic>
#include <cassert>
#include <thread>
struct Cell { std::atomic<unsigned> seq; int data; };
Cell cells[2]; std::atomic<unsigned> enq{0}, deq{0};
bool push(int v) {
  unsigned pos = enq.load();
  for (;;) {
    Cell &c = cells[pos & 1]; int d = (int)(c.seq.load() - pos);
    if (d == 0) {
#ifdef BUG
      enq.store(pos + 1); c.data = v; c.seq.store(pos + 1); return true;
#else
      if (enq.compare_exchange_weak(pos, pos + 1)) { c.data = v; c.seq.store(pos + 1); return true; }
#endif
    } else if (d < 0) return false; else pos = enq.load();
  }
}
bool pop(int &v) {
  unsigned pos = deq.load();
  for (;;) {
    Cell &c = cells[pos & 1]; int d = (int)(c.seq.load() - (pos + 1));
    if (d == 0) { if (deq.compare_exchange_weak(pos, pos + 1)) { v = c.data; c.seq.store(pos + 2); return true; } }
    else if (d < 0) return false; else pos = deq.load();
  }
}
int main() {
  for (unsigned i = 0; i < 2; i++) cells[i].seq = i;
  std::thread a([] { assert(push(1)); }), b([] { assert(push(2)); });
  int s = 0, v;
  if (pop(v)) s += v;
  a.join(); b.join();
  while (pop(v)) s += v;
  assert(s == 3);
}
