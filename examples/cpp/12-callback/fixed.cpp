// expect: verified
// Called after the lock was let go.
#include <mutex>
#include <thread>

static std::mutex mutex;
static void (*listener)();
static int value;

static int read() {
  std::lock_guard<std::mutex> lock(mutex);
  return value;
}

static void write(int now) {
  void (*told)();
  {
    std::lock_guard<std::mutex> lock(mutex);
    value = now;
    told = listener;
  }
  if (told != nullptr) told();
}

int main() {
  std::thread writer([] { write(1); });
  {
    std::lock_guard<std::mutex> lock(mutex);
    listener = [] { read(); };
  }
  writer.join();
}
