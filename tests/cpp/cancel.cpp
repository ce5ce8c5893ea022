// Cancelled threads of C++: they run destructors. The first argument chooses the case, which prints what it came to.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static std::mutex m;
static std::condition_variable c;
static sem_t s;
static bool ready;
static char trail[16];
static int length;
static pthread_t first;

static void note(void *what) { trail[length++] = (char)(long)what; }

struct Step {
  char name;
  ~Step() { note((void *)(long)name); }
};

static void *const done = (void *)1;

static void *waits(void *) {
  Step outer{'o'};
  std::unique_lock<std::mutex> lock(m);
  Step inner{'i'};
  c.wait(lock, [] { return ready; });
  note((void *)'w');
  return nullptr;
}

static void *mixed(void *) {
  Step outer{'o'};
  pthread_cleanup_push(note, (void *)'h');
  Step inner{'i'};
  pthread_cleanup_push(note, (void *)'g');
  pthread_testcancel();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(1);
  return done;
}

static void *sees(void *) {
  try {
    pthread_testcancel();
  } catch (...) {
    note((void *)'c');
    throw;
  }
  return done;
}

static void *waits_for_permit(void *) {
  auto owned = std::make_unique<int>(3);
  sem_wait(&s);
  return done;
}

static void *sleeps(void *) {
  auto owned = std::make_unique<int>(3);
  usleep(10);
  return done;
}

static void *locks(void *) {
  std::lock_guard<std::mutex> lock(m);
  Step step{'d'};
  pthread_testcancel();
  return nullptr;
}

struct Blocking {
  ~Blocking() {
    std::lock_guard<std::mutex> lock(m);
    note((void *)'b');
  }
};

static void *blocks(void *) {
  Blocking blocking;
  pthread_testcancel();
  return nullptr;
}

static void *keeps(void *) {
  try {
    pthread_testcancel();
  } catch (...) {
  }
  return nullptr;
}

static void *calls(void *) {
  Step step{'d'};
  void (*volatile test)() = pthread_testcancel;
  test();
  return done;
}

// A thread that is ending is not cancelled again, whatever it says.
struct Again {
  ~Again() {
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
    note((void *)'r');
    pthread_testcancel();
    note((void *)'d');
  }
};

static void *again(void *) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  auto step = std::make_unique<Again>();
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
  pthread_testcancel();
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  auto kept = step.release();
  ::operator delete(kept);
  return done;
}

static void *cancels_main(void *) {
  pthread_cancel(first);
  return nullptr;
}

struct Printing {
  ~Printing() { std::printf("d"); }
};

int main(int, char **arguments) {
  int number = std::atoi(arguments[1]);
  void *(*const functions[])(void *) = {nullptr, waits,  mixed, sees,  waits_for_permit, sleeps,
                                        locks,   blocks, keeps, calls, again,       cancels_main};
  sem_init(&s, 0, 0);
  first = pthread_self();
  pthread_t thread;
  void *result = nullptr;
  pthread_create(&thread, nullptr, functions[number], nullptr);
  if (number == 11) {
    pthread_detach(thread);
    {
      Printing printing;
      pthread_testcancel();
      pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
      std::printf("m");
      std::exit(0);
    }
  }
  if (number == 4) sem_post(&s);
  if (number == 7) {
    std::lock_guard<std::mutex> lock(m);
    pthread_cancel(thread);
    note((void *)'m');
  } else pthread_cancel(thread);
  if (number == 1) {
    std::lock_guard<std::mutex> lock(m);
    ready = true;
    c.notify_one();
  }
  pthread_join(thread, &result);
  // Nobody holds it any more.
  std::lock_guard<std::mutex> lock(m);
  std::printf("%s %d\n", trail, result == PTHREAD_CANCELED ? -1 : (int)(long)result);
}
