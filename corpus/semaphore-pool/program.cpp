/* Two permits, but slots are taken without exchange. */
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>
#include <vector>
std::counting_semaphore<2> permits(2);
std::atomic<bool> busy[2];
int owners[2];
void client() {
  permits.acquire();
  int slot = -1;
  for (int i = 0; i < 2; i++) {
#ifdef BUG
    if (!busy[i].load()) { busy[i].store(true); slot = i; break; }
#else
    if (!busy[i].exchange(true)) { slot = i; break; }
#endif
  }
  assert(slot >= 0);
  owners[slot]++;
  assert(owners[slot] == 1);
  owners[slot]--;
  busy[slot].store(false);
  permits.release();
}
int main() {
  std::vector<std::thread> t;
  for (int i = 0; i < 3; i++) t.emplace_back(client);
  for (auto &x : t) x.join();
}
