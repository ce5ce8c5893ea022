// expect: bug deadlock
// Two transfers in opposite directions hold one account each and wait for the other.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

static Account alice, bob;

static void transfer(Account &from, Account &to, int amount) {
  std::lock_guard<std::mutex> first(from.mutex);  // cause
  std::lock_guard<std::mutex> second(to.mutex);  // cause
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread one([] { transfer(alice, bob, 10); });
  std::thread two([] { transfer(bob, alice, 20); });
  one.join();
  two.join();
  assert(alice.balance + bob.balance == 200);
}
