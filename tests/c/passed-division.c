/*
 * The type is one of the library's and does not say that it has members. Fails where it is passed before it is changed, or
 * where the comparison, of which an optimising compiler makes loads, comes first.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>

static div_t shared;
static char text[40], same[40];
static int found, differ;

__attribute__((noinline)) static int take(div_t d) { return d.quot; }

static void *change(void *unused) {
  shared.quot = text[30] = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  found = take(shared);
  differ = bcmp(text, same, 37) != 0;
  pthread_join(thread, 0);
#ifdef COMPARE
  assert(differ);
#else
  assert(found);
#endif
  return 0;
}
