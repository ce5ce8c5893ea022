/* Lines of a log put together from pieces without a lock. */
#include <cassert>
#include <iostream>
#include <sstream>
#include <mutex>
#include <thread>
#include <vector>
std::mutex m; int lines;
void log(const std::string &s) {
  std::ostringstream o; o << "[" << s << "] ";
#ifndef BUG
  std::lock_guard l(m);
#endif
  std::cout << o.str() << std::endl;
  lines++;
}
int main() {
  std::vector<std::thread> t;
  for (int i = 0; i < 2; i++) t.emplace_back([i] { log("thread " + std::to_string(i)); });
  for (auto &x : t) x.join();
  assert(lines == 2);
}
