// Templates that make functions of any size: the library's functions are kept apart from the beginning.
#include <atomic>
#include <cassert>
#include <charconv>
#include <ctime>
#include <format>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <syncstream>
#include <thread>

static void atomic_pointer() {
  std::atomic<std::shared_ptr<int>> shared;
  std::thread other([&] {
    shared.store(std::make_shared<int>(1));
    shared.notify_one();
  });
  shared.wait(nullptr);
  auto seen = shared.load();
  assert(*seen == 1 && shared.compare_exchange_strong(seen, std::make_shared<int>(2)));
  other.join();
  assert(*shared.exchange(nullptr) == 2 && *seen == 1);
}

static void formatted() {
  std::string log;
  std::mutex mutex;
  auto add = [&](int number) {
    std::lock_guard<std::mutex> guard(mutex);
    log += std::format("{} {:.1f};", number, number / 2.0);
  };
  std::thread other(add, 1);
  add(2);
  other.join();
  assert(log == "1 0.5;2 1.0;" || log == "2 1.0;1 0.5;");

  char text[32];
  assert(std::to_chars(text, text + 32, 1.25).ptr == text + 4);
  std::time_t begin = 0;
  std::tm date;
  localtime_r(&begin, &date);
  assert(std::strftime(text, sizeof text, "%Y", &date) == 4);
}

int main(int argc, char **) {
  if (argc > 1) {
    formatted();
    return 0;
  }
  std::osyncstream(std::cout) << "whole" << '\n';
  atomic_pointer();
}
