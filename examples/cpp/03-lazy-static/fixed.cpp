// expect: verified
// The language makes sure that a static variable is initialised once, and that others wait for it.
#include <cassert>
#include <thread>

static int made;

struct Settings {
  Settings() { made++; }
};

static Settings &settings() {
  static Settings only;
  return only;
}

int main() {
  std::thread one([] { settings(); });
  std::thread two([] { settings(); });
  one.join();
  two.join();
  assert(made == 1);
}
