// Structures passed by value, by a call and by one that may throw. Fails where that comes before they are changed.
#include <cassert>
#include <pthread.h>

struct Triple { int a, b, c; };
static Triple shared;
static int found;

__attribute__((noinline)) static int take(Triple t) {
  if (t.c) throw t.c;
  return t.b;
}

// Names in the compiler's own language hold brackets that nothing closes.
struct Text { int length; };
static int operator<(Text text, int other) {
  struct Local { int a, b, c; };
  static Local local;
  auto sum = [](Local l) __attribute__((noinline)) { return l.a + l.b + l.c; };
  return sum(local) + text.length < other;
}

static void *change(void *unused) {
  shared.b = 1;
  return unused;
}

int main(int count, char **) {
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  if (count > 1) {
    try {
      found = take(shared);
    } catch (int) {
    }
  } else
    found = take(shared);
  pthread_join(thread, 0);
  assert(found && Text{1} < 2);
  return 0;
}
