// What programs that throw share.
#pragma once
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>

static std::mutex m;
static int x;

// Counts objects: what is not destroyed shows.
static thread_local int alive;
struct Counted {
  int id;
  explicit Counted(int id = 0) : id(id) { alive++; }
  Counted(const Counted &other) : id(other.id) { alive++; }
  ~Counted() { alive--; }
};

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
  Counted counted;
};
