// expect: bug assertion
// Made when it is first needed, by everybody who finds it missing.
#include <cassert>
#include <thread>

static int made;

struct Settings {
  Settings() { made++; }
};

static Settings &settings() {
  static Settings *only = nullptr;
  if (only == nullptr) only = new Settings;  // cause
  return *only;
}

int main() {
  std::thread one([] { settings(); });
  std::thread two([] { settings(); });
  one.join();
  two.join();
  assert(made == 1);
}
