// expect: bug double-free
// Both may find the buffer still there.
#include <thread>

static int *buffer = new int[4]();

static void close() {
  if (buffer != nullptr) {  // cause
    delete[] buffer;  // cause
    buffer = nullptr;
  }
}

int main() {
  std::thread one(close);
  std::thread two(close);
  one.join();
  two.join();
}
