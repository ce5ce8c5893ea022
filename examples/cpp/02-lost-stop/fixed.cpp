// expect: verified
// The flag changes under the lock that the worker holds while it looks.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable wake;
static bool stopping;

static void worker() {
  std::unique_lock<std::mutex> lock(mutex);
  wake.wait(lock, [] { return stopping; });
}

int main() {
  std::thread thread(worker);
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_one();
  thread.join();
}
