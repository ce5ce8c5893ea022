// Lines parsed with std::regex by two threads into one container.
#include <cassert>
#include <mutex>
#include <regex>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<std::string> words;

static void parse(std::string line) {
  const std::regex word("([a-z]+)=([0-9]+)");
  for (auto it = std::sregex_iterator(line.begin(), line.end(), word); it != std::sregex_iterator(); ++it) {
    std::lock_guard<std::mutex> guard(mutex);
    words.push_back((*it)[1].str());
  }
}

int main() {
  std::thread a(parse, "one=1 two=2");
  std::thread b(parse, "three=3");
  a.join();
  b.join();
  assert(words.size() == 3);
}
