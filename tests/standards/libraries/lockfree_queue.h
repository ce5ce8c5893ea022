/* A bounded queue for many producers and consumers, without locks, in one header that asks what it is compiled for. */
#ifndef LOCKFREE_QUEUE_H
#define LOCKFREE_QUEUE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
#include <immintrin.h>
#define QUEUE_RELAX() _mm_pause()
#elif defined(__aarch64__)
#define QUEUE_RELAX() __asm__ __volatile__("yield" ::: "memory")
#elif defined(__GNUC__)
#define QUEUE_RELAX() __asm__ __volatile__("" ::: "memory")
#else
#error "which compiler is this?"
#endif

#if defined(__GNUC__)
#define QUEUE_LIKELY(x) __builtin_expect(!!(x), 1)
#define QUEUE_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define QUEUE_LIKELY(x) (x)
#define QUEUE_INLINE __forceinline
#endif

#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#define QUEUE_YIELD() sched_yield()
#elif defined(_WIN32)
#include <windows.h>
#define QUEUE_YIELD() SwitchToThread()
#endif

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define QUEUE_NO_TSAN __attribute__((no_sanitize("thread")))
#endif
#endif
#ifndef QUEUE_NO_TSAN
#define QUEUE_NO_TSAN
#endif

#if defined(__cpp_lib_hardware_interference_size)
enum : std::size_t { QUEUE_LINE = std::hardware_destructive_interference_size };
#else
enum : std::size_t { QUEUE_LINE = 64 };
#endif

static_assert(ATOMIC_INT_LOCK_FREE == 2, "atomics of this machine take locks");

template <class T, std::size_t Size> class LockfreeQueue {
  static_assert(Size >= 2 && (Size & (Size - 1)) == 0, "the size has to be a power of two");

public:
  LockfreeQueue() {
    for (std::size_t i = 0; i < Size; ++i) cells[i].turn.store(i, std::memory_order_relaxed);
  }

  QUEUE_NO_TSAN QUEUE_INLINE bool try_push(T value) {
    std::size_t at = tail.load(std::memory_order_relaxed);
    for (;;) {
      Cell &cell = cells[at & (Size - 1)];
      std::intptr_t lag = (std::intptr_t)cell.turn.load(std::memory_order_acquire) - (std::intptr_t)at;
      if (lag < 0) return false;
      if (QUEUE_LIKELY(lag == 0)) {
        if (tail.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
#ifdef BUG
          cell.turn.store(at + 1, std::memory_order_release);
          cell.value = std::move(value);
#else
          cell.value = std::move(value);
          cell.turn.store(at + 1, std::memory_order_release);
#endif
          return true;
        }
        QUEUE_RELAX();
      } else
        at = tail.load(std::memory_order_relaxed);
    }
  }

  QUEUE_NO_TSAN QUEUE_INLINE bool try_pop(T &value) {
    std::size_t at = head.load(std::memory_order_relaxed);
    for (;;) {
      Cell &cell = cells[at & (Size - 1)];
      std::intptr_t lag = (std::intptr_t)cell.turn.load(std::memory_order_acquire) - (std::intptr_t)(at + 1);
      if (lag < 0) return false;
      if (QUEUE_LIKELY(lag == 0)) {
        if (head.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
          value = std::move(cell.value);
          cell.turn.store(at + Size, std::memory_order_release);
          return true;
        }
        QUEUE_RELAX();
      } else
        at = head.load(std::memory_order_relaxed);
    }
  }

  void push(T value) {
    while (!try_push(value)) QUEUE_YIELD();
  }

  T pop() {
    T value{};
    while (!try_pop(value)) QUEUE_YIELD();
    return value;
  }

private:
  struct Cell {
    std::atomic<std::size_t> turn;
    T value;
  };
  alignas(QUEUE_LINE) Cell cells[Size];
  alignas(QUEUE_LINE) std::atomic<std::size_t> tail{0};
  alignas(QUEUE_LINE) std::atomic<std::size_t> head{0};
};

#endif
