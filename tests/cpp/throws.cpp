// Case 1 never throws; case 2 throws where a catch waits for it; case 3 lets the library throw.
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

static int left = 3;
static std::vector<int> taken;

static void take(int number) {
  if (left < number) throw std::runtime_error("none left");
  left -= number;
}

int main(int, char **arguments) {
  int which = std::atoi(arguments[1]);
  std::thread other([] {
    try {
      take(1);
    } catch (const std::exception &) {
      left = 0;
    }
  });
  other.join();
  if (which == 2) take(3);
  if (which == 3) return taken.at(1);
}
