/* A queue from one thread to one other, of anything that can be moved, in storage that it constructs elements in. */
#ifndef SINGLE_PRODUCER_H
#define SINGLE_PRODUCER_H

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#if __cplusplus >= 201703L
#define SP_MAYBE_UNUSED [[maybe_unused]]
#else
#define SP_MAYBE_UNUSED
#endif

template <class T> class SingleProducer {
  static_assert(std::is_nothrow_destructible<T>::value, "elements must not throw when they are destroyed");
  using Slot = typename std::aligned_storage<sizeof(T), alignof(T)>::type;

public:
  explicit SingleProducer(std::size_t capacity) : size(capacity + 1), slots(new Slot[capacity + 1]) {}

  ~SingleProducer() {
    while (front()) pop();
  }

  SingleProducer(const SingleProducer &) = delete;
  SingleProducer &operator=(const SingleProducer &) = delete;

  template <class... Args>
  SP_MAYBE_UNUSED bool try_emplace(Args &&...args) noexcept(std::is_nothrow_constructible<T, Args &&...>::value) {
    std::size_t at = written.load(std::memory_order_relaxed);
    std::size_t next = at + 1 == size ? 0 : at + 1;
    if (next == read_cache) {
      read_cache = read.load(std::memory_order_acquire);
      if (next == read_cache) return false;
    }
#ifdef BUG
    written.store(next, std::memory_order_release);
    new (&slots[at]) T(std::forward<Args>(args)...);
#else
    new (&slots[at]) T(std::forward<Args>(args)...);
    written.store(next, std::memory_order_release);
#endif
    return true;
  }

  T *front() noexcept {
    std::size_t at = read.load(std::memory_order_relaxed);
    if (at == written_cache) {
      written_cache = written.load(std::memory_order_acquire);
      if (at == written_cache) return nullptr;
    }
    return reinterpret_cast<T *>(&slots[at]);
  }

  void pop() noexcept {
    std::size_t at = read.load(std::memory_order_relaxed);
    reinterpret_cast<T *>(&slots[at])->~T();
    read.store(at + 1 == size ? 0 : at + 1, std::memory_order_release);
  }

private:
  const std::size_t size;
  std::unique_ptr<Slot[]> slots;
  alignas(64) std::atomic<std::size_t> written{0};
  alignas(64) std::size_t read_cache = 0;
  alignas(64) std::atomic<std::size_t> read{0};
  alignas(64) std::size_t written_cache = 0;
};

#endif
