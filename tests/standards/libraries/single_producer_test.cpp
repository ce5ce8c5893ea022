#include "single_producer.h"
#include <cassert>
#include <thread>

int main() {
  SingleProducer<std::unique_ptr<int>> queue(2);
  std::thread producer([&] {
    for (int i = 1; i <= 3; i++)
      if (!queue.try_emplace(std::unique_ptr<int>(new int(i)))) return;
  });
  int expected = 1;
  for (int i = 0; i < 2; i++) {
    std::unique_ptr<int> *element = queue.front();
    if (!element) continue;
    assert(**element == expected++);
    queue.pop();
  }
  producer.join();
  while (std::unique_ptr<int> *element = queue.front()) {
    assert(**element == expected++);
    queue.pop();
  }
  assert(expected >= 3);
}
