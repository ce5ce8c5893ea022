// expect: bug lock-misuse
// Who listens is called with the lock held, and may want it too.
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
  std::lock_guard<std::mutex> lock(mutex);
  value = now;
  if (listener != nullptr) listener();  // cause
}

int main() {
  std::thread writer([] { write(1); });
  {
    std::lock_guard<std::mutex> lock(mutex);
    listener = [] { read(); };  // cause
  }
  writer.join();
}
