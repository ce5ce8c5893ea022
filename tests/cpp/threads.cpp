// Threads, mutexes, conditions, atomics, once. The first argument chooses the program.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex m;
static std::condition_variable ready;
static std::atomic<int> state;
static std::atomic<short> small;
static std::atomic_flag flag;
static std::once_flag once;
static int x;
static int constructed;

struct Slow {
  int value = 0;
  Slow() {
    constructed++;
    value = 7;
  }
};

static Slow &shared() {
  static Slow slow;
  return slow;
}

struct Noisy {
  const char *name;
  ~Noisy() { std::printf("%s ", name); }
};

static std::string text(40, 'a');
static int numbers[] = {3, 1, 2};

static void increment(int by) { x += by; }

using Case = void (*)();
static const Case cases[] = {
    [] { // 0: mutual exclusion
      std::thread a([] { std::lock_guard<std::mutex> lock(m); x++; });
      std::thread b([] { std::lock_guard<std::mutex> lock(m); x++; });
      a.join();
      b.join();
      std::printf("%d", x);
    },
    [] { // 1: an increment is lost
      std::thread a(increment, 1), b(increment, 1);
      a.join();
      b.join();
      std::printf("%d", x);
    },
    [] { // 2: a condition with its predicate
      std::thread a([] {
        std::unique_lock<std::mutex> lock(m);
        ready.wait(lock, [] { return x == 1; });
        x = 2;
      });
      {
        std::lock_guard<std::mutex> lock(m);
        x = 1;
      }
      ready.notify_one();
      a.join();
      std::printf("%d", x);
    },
    [] { // 3: a wake-up that can be lost
      std::thread a([] {
        std::unique_lock<std::mutex> lock(m);
        ready.wait(lock);
      });
      ready.notify_one();
      a.join();
    },
    [] { // 4: waiting for an atomic
      std::thread a([] {
        state.wait(0);
        small.wait(0);
        flag.wait(false);
        std::printf("%d%d%d", state.load(), small.load(), flag.test());
      });
      state = 1;
      state.notify_one();
      small = 2;
      small.notify_all();
      flag.test_and_set();
      flag.notify_one();
      a.join();
    },
    [] { // 5: nobody notifies
      std::thread a([] { state.wait(0); });
      state = 1;
      a.join();
    },
    [] { // 6: who notifies one of two leaves the other
      std::thread a([] { state.wait(0); }), b([] { state.wait(0); });
      state = 1;
      state.notify_one();
      a.join();
      b.join();
    },
    [] { // 7: once, and the others wait until it is done
      auto run = [] {
        std::call_once(once, [](int by) { x += by; }, 5);
        assert(x == 5);
      };
      std::thread a(run), b(run);
      a.join();
      b.join();
      std::printf("%d", x);
    },
    [] { // 8: a static variable of a function
      auto run = [] { assert(shared().value == 7); };
      std::thread a(run), b(run);
      a.join();
      b.join();
      std::printf("%d", constructed);
    },
    [] { // 9: thread-local variables are destroyed, the latest first
      thread_local Noisy outer{"main"};
      std::thread a([] {
        thread_local Noisy first{"first"};
        thread_local Noisy second{"second"};
        (void)first.name, (void)second.name;
      });
      a.join();
      std::printf("joined %s ", outer.name);
    },
    [] { // 10: joined twice
      std::thread a([] {});
      a.join();
      a.join();
    },
    [] { // 11: never joined
      std::thread a([] {});
    },
    [] { // 12: trying until it works is waiting
      m.lock();
      std::thread a([] {
        while (!m.try_lock()) std::this_thread::yield();
        m.unlock();
      });
      m.unlock();
      a.join();
    },
    [] { // 13: the lock is given back, and others are told, when the thread has ended
      struct AtEnd {
        ~AtEnd() { x++; }
      };
      std::thread a([] {
        static thread_local AtEnd at_end;
        (void)&at_end;
        std::unique_lock<std::mutex> lock(m);
        x++;
        std::notify_all_at_thread_exit(ready, std::move(lock));
        assert(!lock);
      });
      a.detach();
      std::unique_lock<std::mutex> lock(m);
      while (x == 0) ready.wait(lock);
      std::printf("%d", x);
    },
    [] { // 14: an atomic reference counts
      auto add = [] { std::atomic_ref<int>(x).fetch_add(1); };
      std::thread a(add), b(add);
      a.join();
      b.join();
      std::printf("%d", x);
    },
    [] { // 15: what the program does not include is found all the same
      std::vector<std::string> names{"a"};
      std::thread a([&] { names.push_back("b"); });
      a.join();
      std::printf("%s%d", names[1].c_str(), (int)names.size());
    },
    [] { // 16: detached, and joined after that
      std::thread a([] { x = 1; });
      a.detach();
      assert(!a.joinable());
      a.join();
    },
    [] { // 17: thrown where nothing can be thrown
      std::vector<int>(1).at(3);
    },
    [] { // 18: strings are compiled with the program
      std::thread a([] { text.append("x"); });
      text.append("y");
      a.join();
      std::printf("%d", (int)text.size() - 40);
    },
    [] { // 19: sorting is seen
      std::thread a([] { std::sort(numbers, numbers + 3); });
      int seen = numbers[0];
      a.join();
      std::printf("%d", seen);
    },
    [] { // 20: and reading a string
      std::thread a([] { text[0] = 'b'; });
      std::string copy = "<" + text;
      a.join();
      std::printf("%c", copy[1]);
    },
};

int main(int, char **arguments) { cases[std::atoi(arguments[1])](); }
