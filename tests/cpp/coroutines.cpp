/* Coroutines that threads resume, and exceptions that leave them. The argument says which case. */
#include <atomic>
#include <cassert>
#include <coroutine>
#include <cstdlib>
#include <exception>
#include <thread>

/* A coroutine that begins at once and keeps what it was left by; who made it destroys it. */
struct Task {
  struct promise_type {
    std::exception_ptr failure;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };
  std::coroutine_handle<promise_type> handle;
};

static std::thread worker;

/* Goes on in another thread. */
struct Elsewhere {
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    worker = std::thread([handle] { handle.resume(); });
  }
  int await_resume() const noexcept { return 3; }
};

static int shared;

struct Counts {
  ~Counts() { shared += 10; }
};

static Task adds() {
  Counts counts;
  shared += co_await Elsewhere();
}

static Task fails() {
  Counts counts;
  if (co_await Elsewhere() == 3) throw 7;
}

static int caughtFrom(const Task &task) {
  try {
    if (task.handle.promise().failure) std::rethrow_exception(task.handle.promise().failure);
  } catch (int value) {
    return value;
  }
  return 0;
}

int main(int argc, char **argv) {
  const int number = argc > 1 ? std::atoi(argv[1]) : 0;
  Task task = number == 1 ? fails() : adds();
  if (number == 2) {
    /* The coroutine does the same in its own thread. */
    shared += 1;
    worker.join();
    assert(shared == 14);
  } else {
    worker.join();
    assert(shared == (number == 1 ? 10 : 13));
    assert(caughtFrom(task) == (number == 1 ? 7 : 0));
  }
  task.handle.destroy();
}
