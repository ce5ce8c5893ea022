/* A thread pool in one header, as many projects carry one: tasks give futures, and what they throw comes out of those. */
#ifndef FUTURE_POOL_H
#define FUTURE_POOL_H

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#if __cplusplus >= 201703L
template <class F, class... Args> using result_of_t = typename std::invoke_result<F, Args...>::type;
#define POOL_NODISCARD [[nodiscard]]
#else
template <class F, class... Args> using result_of_t = typename std::result_of<F(Args...)>::type;
#define POOL_NODISCARD
#endif

class FuturePool {
public:
  explicit FuturePool(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) workers.emplace_back([this] { work(); });
  }

  FuturePool(const FuturePool &) = delete;
  FuturePool &operator=(const FuturePool &) = delete;

  template <class F, class... Args>
  POOL_NODISCARD auto submit(F &&f, Args &&...args) -> std::future<result_of_t<F, Args...>> {
    using Result = result_of_t<F, Args...>;
    auto task = std::make_shared<std::packaged_task<Result()>>(
        std::bind(std::forward<F>(f), std::forward<Args>(args)...));
    std::future<Result> result = task->get_future();
    {
      std::unique_lock<std::mutex> guard(lock);
      if (stopping) throw std::runtime_error("submit after the end");
      tasks.emplace([task] { (*task)(); });
    }
    changed.notify_one();
    return result;
  }

  ~FuturePool() {
#ifdef BUG
    stopping = true; /* A worker may have looked already, and not wait yet. */
#else
    {
      std::unique_lock<std::mutex> guard(lock);
      stopping = true;
    }
#endif
    changed.notify_all();
    for (std::thread &worker : workers) worker.join();
  }

private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this] { return stopping || !tasks.empty(); });
        if (tasks.empty()) return;
        task = std::move(tasks.front());
        tasks.pop();
      }
      task();
    }
  }

  std::mutex lock;
  std::condition_variable changed;
  std::queue<std::function<void()>> tasks;
  bool stopping = false;
  std::vector<std::thread> workers;
};

#endif
