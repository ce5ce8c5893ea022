/* The task queue drops a packaged_task when it stops: broken promise. */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
struct Worker {
  std::mutex m; std::condition_variable cv; std::deque<std::packaged_task<int()>> q; bool stop = false; std::thread t;
  Worker() : t([this] { run(); }) {}
  void run() {
    for (;;) {
      std::packaged_task<int()> task;
      {
        std::unique_lock l(m);
        cv.wait(l, [&] { return stop || !q.empty(); });
#ifdef BUG
        if (stop) { q.clear(); return; }
#else
        if (q.empty()) return;
#endif
        task = std::move(q.front()); q.pop_front();
      }
      task();
    }
  }
  std::future<int> post(std::function<int()> f) {
    std::packaged_task<int()> t(std::move(f)); auto r = t.get_future();
    { std::lock_guard l(m); q.push_back(std::move(t)); }
    cv.notify_one();
    return r;
  }
  ~Worker() { { std::lock_guard l(m); stop = true; } cv.notify_one(); t.join(); }
};
int main() {
  std::future<int> f;
  { Worker w; f = w.post([] { return 42; }); }
  assert(f.get() == 42);
}
