// expect: verified
// As many permits as there are producers.
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> filled(0);

int main() {
  std::thread one([] { filled.release(); });
  std::thread two([] { filled.release(); });
  filled.acquire();
  filled.acquire();
  one.join();
  two.join();
}
