/* Check under the shared lock, insert under the exclusive one without checking again. */
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>
class Cache {
  mutable std::shared_mutex mx; std::map<std::string, int> data; int loads_ = 0;
public:
  int get(const std::string &k) {
    { std::shared_lock l(mx); auto it = data.find(k); if (it != data.end()) return it->second; }
    std::unique_lock l(mx);
#ifndef BUG
    auto it = data.find(k); if (it != data.end()) return it->second;
#endif
    loads_++;
    return data[k] = (int)k.size();
  }
  int loads() const { std::shared_lock l(mx); return loads_; }
};
int main() {
  Cache c;
  std::vector<std::thread> ts;
  for (int i = 0; i < 2; i++) ts.emplace_back([&] { assert(c.get("key") == 3); });
  for (auto &t : ts) t.join();
  assert(c.loads() == 1);
}
