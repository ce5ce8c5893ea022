// A bounded channel that looks at its capacity before it waits, and not after.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>
#include <thread>

template <class T>
class Channel {
 public:
  explicit Channel(size_t most) : capacity(most) {}

  void send(T value) {
    std::unique_lock<std::mutex> guard(lock);
    if (queue.size() >= capacity) space.wait(guard);
    queue.push(std::move(value)), assert(queue.size() <= capacity), items.notify_one();
  }

  std::optional<T> receive() {
    std::unique_lock<std::mutex> guard(lock);
    items.wait(guard, [&] { return !queue.empty() || closed; });
    if (queue.empty()) return std::nullopt;
    T value = std::move(queue.front());
    queue.pop();
    space.notify_one();
    return value;
  }

  void close() {
    std::lock_guard<std::mutex> guard(lock);
    closed = true;
    items.notify_all();
  }

 private:
  size_t capacity;
  bool closed = false;
  std::mutex lock;
  std::condition_variable items, space;
  std::queue<T> queue;
};

int main() {
  Channel<int> c(1);
  std::atomic<int> sum{0};
  std::thread first([&] { c.send(1), c.send(2); });
  std::thread second([&] { c.send(3); });
  std::thread receiver([&] {
    while (auto value = c.receive()) sum += *value;
  });
  first.join();
  second.join();
  c.close();
  receiver.join();
  assert(sum == 6);
}
