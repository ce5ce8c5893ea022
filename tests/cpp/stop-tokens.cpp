// Threads that are asked to stop. The first argument chooses the program.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex m;
static std::condition_variable_any any;
static int x;

using Case = void (*)();
static const Case cases[] = {
    [] { // 0: joins itself at the end, and asks it to stop
      std::jthread a([](std::stop_token token) {
        while (!token.stop_requested()) std::this_thread::yield();
        std::printf("stopped");
      });
    },
    [] { // 1: a wait that ends when it is asked to stop
      std::jthread b([] {
        {
          std::lock_guard<std::mutex> lock(m);
          x = 1;
        }
        any.notify_one();
      });
      std::jthread a([](std::stop_token token) {
        std::unique_lock<std::mutex> lock(m);
        bool found = any.wait(lock, token, [] { return x == 1; });
        std::printf("%d", found);
      });
    },
};

int main(int, char **arguments) { cases[std::atoi(arguments[1])](); }
