// expect: bug deadlock
// Who stops the worker does not take its lock: the notify can fall between the worker's look and its wait.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable wake;
static std::atomic<bool> stopping;

static void worker() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stopping) wake.wait(lock);  // cause
}

int main() {
  std::thread thread(worker);
  stopping = true;  // cause
  wake.notify_one();
  thread.join();
}
