// Exceptions that the library throws, or hands over. The first argument chooses the case.
#include "exceptions.h"
#include <any>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <vector>

template <class Thrown, class Call> static std::string what(Call call) {
  try {
    call();
  } catch (const Thrown &thrown) {
    return thrown.what();
  }
  return "nothing";
}

struct Base {
  virtual ~Base() = default;
};
struct Derived : Base {};

static void thrown() {
  assert(what<std::out_of_range>([] { std::vector<int>().at(1); }) == "vector");
  assert(what<std::out_of_range>([] { std::string("a").substr(2); }) == "basic_string");
  assert(what<std::length_error>([] { std::vector<int>().reserve(1u << 31); }) == "vector");
  assert(what<std::invalid_argument>([] { std::stoi("x"); }) == "stoi: no conversion");
  assert(what<std::out_of_range>([] { std::stoi("99999999999999"); }) == "stoi: out of range");
  assert(what<std::bad_cast>([] {
           Base base;
           dynamic_cast<Derived &>(base);
         }) == "std::bad_cast");
  assert(what<std::bad_typeid>([] {
           Base *none = nullptr;
           typeid(*none).name();
         }) == "std::bad_typeid");
  assert(what<std::bad_function_call>([] { std::function<void()>()(); }) != "nothing");
  assert(what<std::bad_optional_access>([] { std::optional<int>().value(); }) != "nothing");
  assert(what<std::bad_any_cast>([] { std::any_cast<int>(std::any(1.0)); }) != "nothing");
  assert(what<std::bad_weak_ptr>([] { std::shared_ptr<int>(std::weak_ptr<int>()); }) != "nothing");
  assert(what<std::bad_alloc>([] { ::operator new(3u << 30); }) == "std::bad_alloc");
  assert(::operator new(3u << 30, std::nothrow) == nullptr);
  // `volatile`: the compiler must not see that it is too much.
  volatile int negative = -1;
  assert(what<std::bad_alloc>([&] { delete[] new int[negative]; }) != "nothing");
  try {
    std::thread().join();
    assert(false);
  } catch (const std::system_error &error) {
    assert(error.code() == std::errc::invalid_argument);
  }
  try {
    std::unique_lock<std::mutex> lock(m);
    lock.lock();
    assert(false);
  } catch (const std::system_error &error) {
    assert(error.code() == std::errc::resource_deadlock_would_occur);
  }
}

static void through_futures() {
  auto result = std::async(std::launch::async, []() -> int { throw Error("async"); });
  assert(what<Error>([&] { result.get(); }) == "async");
  auto lazy = std::async(std::launch::deferred, []() -> int { throw Error("lazy"); });
  assert(what<Error>([&] { lazy.get(); }) == "lazy");
}

static void through_promises() {
  std::promise<int> promise;
  std::promise<void> empty;
  std::thread other(
      [](std::promise<int> promise, std::promise<void> empty) {
        try {
          throw Error("promised");
        } catch (...) {
          promise.set_exception(std::current_exception());
        }
        empty.set_value();
        assert(what<std::future_error>([&] { empty.set_value(); }) != "nothing");
      },
      std::move(promise), std::move(empty));
  // Moved from, hence no state.
  assert(what<std::future_error>([&] { promise.get_future(); }) != "nothing");
  other.join();
}

static void through_promise() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread other([&] {
    try {
      throw Error("promised");
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  });
  assert(what<Error>([&] { future.get(); }) == "promised");
  other.join();
}

static void through_tasks() {
  std::packaged_task<int(int)> task([](int n) -> int { throw Error(std::to_string(n)); });
  auto future = task.get_future();
  std::thread other(std::move(task), 5);
  assert(what<Error>([&] { future.get(); }) == "5");
  other.join();
  std::future<void> broken;
  {
    std::promise<void> promise;
    broken = promise.get_future();
  }
  try {
    broken.get();
  } catch (const std::future_error &error) {
    assert(error.code() == std::future_errc::broken_promise);
  }
}

int main(int, char **arguments) {
  switch (std::atoi(arguments[1])) {
    case 1: thrown(); break;
    case 2: through_futures(); break;
    case 3: through_promises(); break;
    case 4: through_promise(); break;
    case 5: through_tasks(); break;
  }
}
