// expect: bug assertion
// The second round reads what the neighbour has not written yet: there is no barrier before it.
#include <barrier>
#include <cassert>
#include <thread>

static std::barrier<> round_done(2);
static int first[2], second[2];

static void work(int me) {
  first[me] = me + 1;  // cause
  second[me] = first[0] + first[1];  // cause
  round_done.arrive_and_wait();
  assert(second[1 - me] == 3);
}

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
}
