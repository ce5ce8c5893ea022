// expect: verified
// A copy keeps the object alive while it is used.
#include <memory>
#include <mutex>
#include <thread>

struct Session {
  int user = 7;
};

static std::mutex mutex;
static std::shared_ptr<Session> current = std::make_shared<Session>();

static int user() {
  std::shared_ptr<Session> session;
  {
    std::lock_guard<std::mutex> lock(mutex);
    session = current;
  }
  return session == nullptr ? 0 : session->user;
}

int main() {
  std::thread reader([] { user(); });
  {
    std::lock_guard<std::mutex> lock(mutex);
    current.reset();
  }
  reader.join();
}
