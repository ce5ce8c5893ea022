// expect: verified
// scoped_lock takes both locks, or neither.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

static Account alice, bob;

static void transfer(Account &from, Account &to, int amount) {
  std::scoped_lock both(from.mutex, to.mutex);
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
