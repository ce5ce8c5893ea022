// Locks, semaphores, latches, barriers, futures, counts of owners. The first argument chooses the program.
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <semaphore>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

static std::mutex m, n;
static std::timed_mutex timed;
static std::recursive_mutex recursive;
static std::recursive_timed_mutex recursive_timed;
static std::shared_mutex shared;
static std::shared_timed_mutex shared_timed;
static std::condition_variable condition;
static std::counting_semaphore<3> permits(0);
static std::binary_semaphore binary(0);
static std::latch two(2);
static int x, y;

/* Runs both at the same time. */
template <class A, class B>
static void both(A a, B b) {
  std::thread other(std::move(a));
  b();
  other.join();
}

struct Object {
  int value = 1;
  ~Object() {
    assert(value == 1);
    value = 0;
    x++;
  }
};

using Case = void (*)();
static const Case cases[] = {
    [] { // 0: a timed lock either way; who did not get it has waited
      both([] { std::lock_guard lock(timed); },
           [] {
             auto before = Clock::now();
             bool got = timed.try_lock_for(1s);
             if (got) timed.unlock();
             std::printf("%d%d", got, Clock::now() - before >= 1s);
           });
    },
    [] { // 1: recursive locks are held until they are unlocked as often
      recursive.lock();
      recursive_timed.lock();
      assert(recursive.try_lock() && recursive_timed.try_lock_until(Clock::now() + 1s));
      recursive.unlock();
      recursive_timed.unlock();
      both([] { std::printf("%d%d", recursive.try_lock(), recursive_timed.try_lock()); }, [] {});
      recursive.unlock();
      recursive_timed.unlock();
    },
    [] { // 2: readers do not exclude each other
      auto add = [] {
        std::shared_lock lock(shared);
        x++;
      };
      both(add, add);
      std::printf("%d", x);
    },
    [] { // 3: writers do
      auto add = [] {
        std::unique_lock lock(shared);
        x++;
      };
      both(add, [=] {
        add();
        std::shared_lock lock(shared);
        y = x;
      });
      std::printf("%d%d", x, y);
    },
    [] { // 4: several locks at once, in any order
      both([] { std::scoped_lock lock(m, n); x++; }, [] { std::scoped_lock lock(n, m); x++; });
      std::printf("%d", x);
    },
    [] { // 5: beside somebody who takes them one by one
      both([] { std::lock(m, n); m.unlock(); n.unlock(); },
           [] {
             std::lock_guard first(n);
             std::lock_guard second(m);
             x++;
           });
      std::printf("%d", x);
    },
    [] { // 6: one by one in opposite orders
      both([] { std::lock_guard a(m); std::lock_guard b(n); }, [] { std::lock_guard a(n); std::lock_guard b(m); });
    },
    [] { m.lock(); m.lock(); },       // 7: locked twice
    [] { m.unlock(); },               // 8: not locked
    [] { shared.unlock_shared(); },   // 9: not locked
    [] { // 10: a semaphore hands over
      both([] { x = 1; permits.release(2); },
           [] {
             permits.acquire();
             permits.acquire();
             std::printf("%d", x);
           });
    },
    [] { // 11: nobody releases
      permits.acquire();
    },
    [] { // 12: more permits than there can be
      binary.release();
      binary.release();
    },
    [] { // 13: a try either way
      both([] { binary.release(); }, [] { std::printf("%d", binary.try_acquire()); });
    },
    [] { // 14: for some time
      both([] { permits.release(); },
           [] {
             auto before = Clock::now();
             bool got = permits.try_acquire_for(2s);
             std::printf("%d%d", got, Clock::now() - before >= 2s);
           });
    },
    [] { // 15: a latch opens when all have come
      both([] { x = 1; two.count_down(); },
           [] {
             bool early = two.try_wait();
             two.arrive_and_wait();
             std::printf("%d%d%d", early, x, two.try_wait());
           });
    },
    [] { // 16: one too few
      both([] {}, [] { two.arrive_and_wait(); });
    },
    [] { // 17: one too many
      two.count_down(2);
      two.count_down();
    },
    [] { // 18: a barrier, its completion, and its phases
      std::barrier barrier(2, []() noexcept { y += x; });
      both(
          [&] {
            x = 1;
            barrier.arrive_and_wait();
            barrier.arrive_and_wait();
            assert(y == 3);
          },
          [&] {
            barrier.arrive_and_wait();
            assert(y == 1);
            x = 2;
            auto token = barrier.arrive();
            barrier.wait(std::move(token));
          });
      std::printf("%d", y);
    },
    [] { // 19: who drops out is not waited for
      std::barrier barrier(2);
      both([&] { barrier.arrive_and_drop(); },
           [&] {
             barrier.arrive_and_wait();
             barrier.arrive_and_wait();
           });
    },
    [] { // 20: somebody does not come
      std::barrier barrier(2);
      both([] {}, [&] { barrier.arrive_and_wait(); });
    },
    [] { // 21: more than expected
      std::barrier barrier(1);
      (void)barrier.arrive(2);
    },
    [] { // 22: a wait for some time
      both([] { condition.notify_one(); },
           [] {
             std::unique_lock lock(m);
             auto before = Clock::now();
             bool late = condition.wait_for(lock, 1s) == std::cv_status::timeout;
             std::printf("%d%d", late, Clock::now() - before >= 1s);
           });
    },
    [] { // 23: until a time, with a predicate
      both([] { { std::lock_guard lock(m); x = 1; } condition.notify_one(); },
           [] {
             std::unique_lock lock(m);
             std::printf("%d", condition.wait_until(lock, Clock::now() + 1s, [] { return x == 1; }));
           });
    },
    [] { // 24: the last owner destroys
      auto owner = std::make_shared<Object>();
      std::weak_ptr<Object> watcher = owner;
      both([owner = std::move(owner)]() mutable { owner.reset(); },
           [watcher = std::move(watcher)] {
             auto got = watcher.lock();
             std::printf("%d", got ? got->value : 0);
           });
      std::printf("%d", x);
    },
    [] { // 25: a promise
      std::promise<int> promise;
      std::promise<void> done;
      auto future = promise.get_future();
      auto end = done.get_future();
      both([&] { promise.set_value(4); done.set_value(); }, [&] {
        end.wait();
        end.get();
        std::printf("%d", future.get());
      });
    },
    [] { // 26: asynchronous, deferred, packaged
      auto later = std::async(std::launch::async, [] { return 1; });
      auto lazy = std::async(std::launch::deferred, [] { return 2; });
      std::packaged_task<int(int)> task([](int by) { return by + 1; });
      auto result = task.get_future();
      std::thread(std::move(task), 2).detach();
      std::printf("%d%d%d", later.get(), lazy.get(), result.get());
    },
    [] { // 27: shared and timed
      both([] { std::lock_guard lock(shared_timed); },
           [] {
             bool read = shared_timed.try_lock_shared_for(1ms);
             if (read) shared_timed.unlock_shared();
             bool write = shared_timed.try_lock_until(Clock::now() + 1ms);
             if (write) shared_timed.unlock();
             std::printf("%d%d", read, write);
           });
    },
    [] { // 28: sleeping takes time, and lets others run
      auto before = Clock::now();
      std::this_thread::sleep_for(3s);
      std::this_thread::sleep_until(Clock::now() + 1s);
      std::this_thread::yield();
      std::printf("%d", Clock::now() - before >= 4s);
    },
    [] { // 29: destroyed while it is held
      auto own = std::make_unique<std::mutex>();
      own->lock();
    },
    [] { // 30: notified when main ends
      std::unique_lock lock(m);
      std::notify_all_at_thread_exit(condition, std::move(lock));
    },
    [] { free(new int); },                                                    // 31: freed by another way
    [] { delete[] new int; },                                                 // 32
    [] { delete (new int[2] + 0); },                                          // 33
    [] { delete static_cast<int *>(malloc(4)); },                             // 34
    [] { // 35: deleted twice, and rightly
      delete[] new (std::nothrow) int[3];
      struct alignas(64) Wide { char bytes[64]; };
      Wide *wide = new Wide;
      assert(reinterpret_cast<unsigned long>(wide) % 64 == 0);
      delete wide;
      int *freed = new int;
      delete freed;
      delete freed;
    },
};

int main(int, char **arguments) { cases[std::atoi(arguments[1])](); }
