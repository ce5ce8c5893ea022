// Messages of several kinds through a queue: std::variant, std::visit, std::function, containers of containers.
#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <variant>
#include <vector>

struct Put { std::string key; std::vector<int> values; };
struct Remove { std::string key; };
struct Count { std::function<void(std::size_t)> reply; };
struct Stop {};
using Message = std::variant<Put, Remove, Count, Stop>;

template <class... F> struct overloaded : F... { using F::operator()...; };
template <class... F> overloaded(F...) -> overloaded<F...>;

class Queue {
 public:
  void push(Message m) {
    { std::lock_guard<std::mutex> g(mutex_); items_.push_back(std::move(m)); }
    ready_.notify_one();
  }
  Message pop() {
    std::unique_lock<std::mutex> g(mutex_);
    ready_.wait(g, [this] { return !items_.empty(); });
    Message m = std::move(items_.front());
    items_.pop_front();
    return m;
  }
 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Message> items_;
};

static std::map<std::string, std::vector<int>> table;
static std::size_t counted = 0;

static void serve(Queue& queue) {
  for (bool on = true; on;) {
    std::visit(overloaded{
      [](Put& p) { auto& v = table[p.key]; v.insert(v.end(), p.values.begin(), p.values.end()); std::sort(v.begin(), v.end()); },
      [](Remove& r) { table.erase(r.key); },
      [](Count& c) { std::size_t n = 0; for (auto& [k, v] : table) n += v.size(); c.reply(n); },
      [&on](Stop&) { on = false; },
    }, *std::make_unique<Message>(queue.pop()));
  }
}

int main() {
  Queue queue;
  std::thread server(serve, std::ref(queue));
  std::thread client([&] { queue.push(Put{"a", {3, 1, 2}}); queue.push(Put{"b", {9, 8}}); });
  std::thread other([&] { queue.push(Put{"c", {5}}); queue.push(Remove{"d"}); });
  client.join();
  other.join();
  queue.push(Count{[](std::size_t n) { counted = n; }});
  queue.push(Stop{});
  server.join();
  assert(counted == 6);
}
