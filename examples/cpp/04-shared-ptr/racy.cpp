// expect: bug use-after-free
// A plain pointer does not own: the last owner may be gone before it is used.
#include <memory>
#include <mutex>
#include <thread>

struct Session {
  int user = 7;
};

static std::mutex mutex;
static std::shared_ptr<Session> current = std::make_shared<Session>();

static int user() {
  Session *session;
  {
    std::lock_guard<std::mutex> lock(mutex);
    session = current.get();  // cause
  }
  return session == nullptr ? 0 : session->user;  // cause
}

int main() {
  std::thread reader([] { user(); });
  {
    std::lock_guard<std::mutex> lock(mutex);
    current.reset();  // cause
  }
  reader.join();
}
