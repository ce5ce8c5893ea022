// Exceptions of a program's own. The first argument chooses the case.
#include "exceptions.h"
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <pthread.h>
#include <thread>
#include <vector>

// Which handler gets what.
struct A {
  int a = 1;
  virtual ~A() = default;
};
struct B {
  int b = 2;
  virtual ~B() = default;
};
struct Both : A, B {
  int c = 3;
};
struct Left : virtual A {};
struct Right : virtual A {};
struct Diamond : Left, Right {};
struct Hidden : private A {};
struct Twice1 : B {};
struct Twice2 : B {};
struct Twice : Twice1, Twice2 {};
enum Colour { red, green };

template <class Thrown, class Handled> static bool reaches(Thrown thrown) {
  try {
    try {
      throw thrown;
    } catch (Handled) {
      return true;
    }
  } catch (...) {
    return false;
  }
}

static void matching() {
  assert((reaches<int, int>(1)) && !(reaches<int, long>(1)) && (reaches<int, const int &>(1)));
  assert((reaches<Colour, Colour>(red)) && !(reaches<Colour, int>(red)));
  assert((reaches<Both, A &>(Both())) && (reaches<Both, const B &>(Both())) && !(reaches<A, Both &>(A())));
  assert((reaches<Diamond, A &>(Diamond())) && !(reaches<Hidden, A &>(Hidden())) && !(reaches<Twice, B &>(Twice())));
  Both both;
  assert((reaches<Both *, B *>(&both)) && (reaches<Both *, const A *>(&both)) && (reaches<Both *, void *>(&both)));
  assert(!(reaches<const Both *, B *>(&both)) && !(reaches<A *, Both *>(&both)));
  assert((reaches<std::nullptr_t, int *>(nullptr)) && (reaches<const char *, const char *>("")));
  assert((reaches<Error, std::exception &>(Error("e"))) && !(reaches<Error, std::logic_error &>(Error("e"))));
  try {
    throw Both();
  } catch (B &b) {
    assert(b.b == 2);
  }
  try {
    throw &both;
  } catch (B *b) {
    assert(b->b == 2);
  }
  try {
    throw Diamond();
  } catch (const A &a) {
    assert(a.a == 1);
  }
  try {
    throw 7;
  } catch (long) {
    assert(false);
  } catch (int i) {
    assert(i == 7);
  } catch (...) {
    assert(false);
  }
  assert(alive == 0);
}

static std::string trail;
struct Step {
  char name;
  explicit Step(char name) : name(name) {}
  ~Step() {
    trail += name;
    trail += std::to_string(std::uncaught_exceptions());
  }
};

struct Member {
  Step first{'m'};
  Member(bool fails) try : second('n') {
    Step local('l');
    if (fails) throw 1;
  } catch (int) {
    trail += '!';
  }
  Step second;
};

static void inner() {
  Step a('a');
  try {
    Step b('b');
    throw 5;
  } catch (int &i) {
    Step c('c');
    i++;
    throw;
  }
}

static void unwinding() {
  try {
    inner();
  } catch (int i) {
    assert(i == 6);
    Step d('d');
  }
  assert(trail == "b1c1a1d0");
  trail.clear();
  try {
    Member member(true);
  } catch (int) {
    trail += '.';
  }
  assert(trail == "l1n1m1!.");
  // The third of an array cannot be made: two are destroyed, the memory is given back.
  static int made;
  struct Third {
    Counted counted;
    Third() {
      if (++made == 3) throw 3;
    }
  };
  try {
    new Third[4];
  } catch (int) {
  }
  try {
    std::vector<Third> several(4);
    made = 2;
    several.emplace_back();
  } catch (int) {
  }
  assert(alive == 0);
  // One thrown while another is on its way, and caught there.
  struct Careful {
    ~Careful() {
      try {
        throw std::string("inner");
      } catch (const std::string &s) {
        assert(s == "inner" && std::uncaught_exceptions() == 1);
      }
    }
  };
  try {
    Careful careful;
    throw 1;
  } catch (int) {
    assert(std::uncaught_exceptions() == 0);
  }
  // Handlers in handlers, leaving by return, break and goto.
  for (int i = 0; i < 3; i++) {
    try {
      throw Counted(i);
    } catch (Counted &outer) {
      try {
        throw Counted(10);
      } catch (Counted &other) {
        assert(other.id == 10 && outer.id == i);
        if (i == 1) continue;
      }
      if (i == 2) break;
    }
  }
  assert(alive == 0);
  try {
    std::throw_with_nested(Error("never"));
  } catch (const std::nested_exception &) {
  }
  try {
    try {
      throw 1;
    } catch (...) {
      std::throw_with_nested(Error("outer"));
    }
  } catch (const Error &error) {
    try {
      std::rethrow_if_nested(error);
      assert(false);
    } catch (int) {
    }
  }
  assert(alive == 0);
}

// Two threads that throw while they hold a lock, at once.
static void add(int n) {
  std::lock_guard<std::mutex> guard(m);
  Counted counted(n);
  x += n;
  throw Error("added");
}

static void adder(int n) {
  try {
    add(n);
  } catch (const Error &error) {
    std::lock_guard<std::mutex> guard(m);
    assert(std::string(error.what()) == "added" && alive == 1);
    x += 10;
  }
  assert(alive == 0);
}

static void together() {
  std::thread other(adder, 1);
  adder(2);
  other.join();
  assert(x == 23);
}

// The handlers race: an update is lost, unless they run one after the other.
static void racing() {
  auto lose = [] {
    try {
      throw 1;
    } catch (int n) {
      x += n;
    }
  };
  std::thread other(lose);
  lose();
  other.join();
  std::printf("%d\n", x);
}

// So do destructors on the way.
static void racing_destructors() {
  struct Subtract {
    ~Subtract() { x--; }
  };
  auto lose = [] {
    try {
      Subtract subtract;
      throw 1;
    } catch (...) {
    }
  };
  std::thread other(lose);
  lose();
  other.join();
  std::printf("%d\n", x);
}

static void handed_over() {
  std::exception_ptr kept;
  std::thread other([&] {
    try {
      throw Error("from a thread");
    } catch (...) {
      std::lock_guard<std::mutex> guard(m);
      kept = std::current_exception();
    }
  });
  std::exception_ptr mine;
  {
    std::lock_guard<std::mutex> guard(m);
    mine = kept;
  }
  int caught = 0;
  try {
    if (mine) std::rethrow_exception(mine);
  } catch (const std::exception &error) {
    caught = 1;
    assert(std::string(error.what()) == "from a thread");
  }
  other.join();
  try {
    std::rethrow_exception(kept);
  } catch (Error &error) {
    assert(mine == nullptr || &error.counted != nullptr);
  }
  auto made = std::make_exception_ptr(Counted(4));
  try {
    std::rethrow_exception(made);
  } catch (const Counted &counted) {
    assert(counted.id == 4);
  }
  std::printf("%d\n", caught);
}

static std::once_flag once;
static int tries;
struct Fussy {
  Fussy() {
    if (++tries == 1) throw tries;
  }
};

static void once_more() {
  auto run = [] {
    try {
      std::call_once(once, [] {
        if (++x == 1) throw x;
      });
      return 0;
    } catch (int) {
      return 1;
    }
  };
  auto touch = [] {
    try {
      static Fussy fussy;
      return 0;
    } catch (int) {
      return 1;
    }
  };
  int failed = 0;
  std::thread other([&] { failed = run() + 10 * touch(); });
  int mine = run() + 10 * touch();
  other.join();
  assert(x == 2 && tries == 2 && failed + mine == 11);
}

static std::condition_variable ready;

static void waiting() {
  auto wait = [] {
    std::unique_lock<std::mutex> lock(m);
    while (x == 0) ready.wait(lock);
    throw x;
  };
  std::thread other([&] {
    try {
      wait();
    } catch (int n) {
      assert(n == 3);
    }
  });
  {
    std::lock_guard<std::mutex> guard(m);
    x = 3;
  }
  ready.notify_one();
  other.join();
  m.lock();
  m.unlock();
}

// pthread_exit runs the destructors of what is on the stack; nobody may stop that.
static void *leaving(void *) {
  Step outer('o');
  try {
    Step inner('i');
    pthread_exit(&x);
  } catch (const std::exception &) {
    assert(false);
  } catch (...) {
    trail += 'c';
    throw;
  }
  return nullptr;
}

static void leaving_early() {
  pthread_t thread;
  void *result;
  pthread_create(&thread, nullptr, leaving, nullptr);
  pthread_join(thread, &result);
  assert(result == &x && trail == "i0co0");
}

static void *staying(void *) {
  try {
    pthread_exit(nullptr);
  } catch (...) {
  }
  return nullptr;
}

/* Its characters stand where a long text has its address. */
static void short_text() {
  std::thread other([] {
    try {
      throw Error(std::to_string(5));
    } catch (const Error &error) {
      assert(std::string("5") == error.what());
    }
  });
  other.join();
}

static void leaves() noexcept { throw Error("noexcept"); }

struct Thrower {
  ~Thrower() noexcept(false) { throw 2; }
};

int main(int, char **arguments) {
  switch (std::atoi(arguments[1])) {
    case 1: matching(); break;
    case 2: unwinding(); break;
    case 3: together(); break;
    case 4: racing(); break;
    case 5: racing_destructors(); break;
    case 6: handed_over(); break;
    case 7: once_more(); break;
    case 8: waiting(); break;
    case 9: leaving_early(); break;
    case 10: short_text(); break;
    // What ends in std::terminate.
    case 20: throw Error("main");
    case 21: std::thread([] { throw Error("thread"); }).join(); break;
    case 22:
      try {
        leaves();
      } catch (...) {
      }
      break;
    case 23:
      try {
        Thrower thrower;
        throw 1;
      } catch (int) {
      }
      break;
    case 24:
      try {
        throw 1;
      } catch (long) {
      }
      break;
    case 25:
      std::set_terminate([] {
        std::printf("terminated\n");
        std::exit(0);
      });
      throw 1;
    case 26: throw;
    case 27: std::terminate();
    case 28: staying(nullptr); break;
  }
}
