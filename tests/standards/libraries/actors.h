/* Actors: each handles its messages one after the other, on whichever thread of the system has time. */
#ifndef ACTORS_H
#define ACTORS_H

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace actors {

class Actor;

/** Threads, and the actors that have something to do. */
class System {
public:
  explicit System(int count) {
    for (int i = 0; i < count; ++i) threads.emplace_back(&System::run, this);
  }

  ~System() {
    {
      std::lock_guard<std::mutex> guard(lock);
      stopping = true;
    }
    changed.notify_all();
    for (auto &thread : threads) thread.join();
  }

  void schedule(std::shared_ptr<Actor> actor) {
    {
      std::lock_guard<std::mutex> guard(lock);
      ready.push_back(std::move(actor));
    }
    changed.notify_one();
  }

private:
  inline void run();

  std::mutex lock;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Actor>> ready;
  bool stopping = false;
  std::vector<std::thread> threads;
};

class Actor : public std::enable_shared_from_this<Actor> {
public:
  explicit Actor(System &system) : system(system) {}
  virtual ~Actor() = default;

  template <class M> void tell(M message) {
    auto held = std::make_shared<M>(std::move(message));
    bool wake;
    {
      std::lock_guard<std::mutex> guard(lock);
      mailbox.emplace_back(std::type_index(typeid(M)), held);
      wake = !scheduled;
      scheduled = true;
    }
    if (wake) system.schedule(shared_from_this());
  }

protected:
  template <class M, class F> void on(F handler) {
    handlers[std::type_index(typeid(M))] = [handler](void *message) { handler(*static_cast<M *>(message)); };
  }

private:
  friend class System;
  using Letter = std::pair<std::type_index, std::shared_ptr<void>>;

  void handle_all() {
    for (;;) {
      std::unique_lock<std::mutex> guard(lock);
      if (mailbox.empty()) {
#ifdef BUG
        /* Who tells something here finds it scheduled, and wakes nobody. */
        guard.unlock();
        guard.lock();
#endif
        scheduled = false;
        return;
      }
      Letter letter = std::move(mailbox.front());
      mailbox.pop_front();
      guard.unlock();
      auto handler = handlers.find(letter.first);
      if (handler != handlers.end()) handler->second(letter.second.get());
    }
  }

  System &system;
  std::mutex lock;
  std::deque<Letter> mailbox;
  bool scheduled = false;
  std::unordered_map<std::type_index, std::function<void(void *)>> handlers;
};

void System::run() {
  for (;;) {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [this] { return stopping || !ready.empty(); });
    if (ready.empty()) return;
    std::shared_ptr<Actor> actor = std::move(ready.front());
    ready.pop_front();
    guard.unlock();
    actor->handle_all();
  }
}

} // namespace actors

#endif
