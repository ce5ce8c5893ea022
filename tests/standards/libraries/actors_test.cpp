#include "actors.h"
#include <cassert>

struct Add {
  int amount;
};
struct Double {};

class Account : public actors::Actor {
public:
  explicit Account(actors::System &system) : Actor(system) {
    on<Add>([this](Add &add) { balance += add.amount; });
    on<Double>([this](Double &) { balance *= 2; });
  }
  int balance = 0;
};

int main() {
  std::shared_ptr<Account> account;
  {
    actors::System system(1);
    account = std::make_shared<Account>(system);
    account->tell(Add{3});
    account->tell(Double{});
  }
  assert(account->balance == 6);
}
