// expect: bug lock-misuse
// Two producers may both release before the consumer comes; a binary semaphore cannot count that.
#include <semaphore>
#include <thread>

static std::binary_semaphore filled(0);

int main() {
  std::thread one([] { filled.release(); });  // cause
  std::thread two([] { filled.release(); });  // cause
  filled.acquire();
  filled.acquire();
  one.join();
  two.join();
}
