// What parts of the library access that may be compiled with the program or not.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static int destroyed;
static std::once_flag once;
static std::string text = "1";

struct Thing {
  std::string name = "a name too long to be kept in the string itself";
  ~Thing() { destroyed++; }
};

int main(int, char **argv) {
  auto first = std::make_shared<Thing>();
  std::weak_ptr<Thing> weak = first;
  std::thread other;
  int seen = 0;
  switch (std::atoi(argv[1])) {
  case 0: // either may be the last
    other = std::thread([mine = first, &seen]() mutable {
      mine.reset();
      seen = destroyed;
    });
    first.reset();
    break;
  case 1: // it may be gone
    other = std::thread([&] {
      if (auto mine = weak.lock()) seen = (int)mine->name.size();
    });
    first.reset();
    break;
  case 2:
    other = std::thread([&] { std::call_once(once, [&] { seen += 1; }); });
    std::call_once(once, [&] { seen += 2; });
    break;
  case 3:
    other = std::thread([] { text[0] = '2'; });
    seen = std::stoi(text);
    break;
  case 4:
    other = std::thread([] { text[0] = '2'; });
    seen = std::hash<std::string>{}(text) == std::hash<std::string>{}("1");
    break;
  case 5:
    other = std::thread([] { text[0] = '2'; });
    seen = std::runtime_error(text).what()[0];
    break;
  }
  other.join();
  std::printf("%d %d", seen, destroyed);
}
