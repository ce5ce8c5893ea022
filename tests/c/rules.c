/* Rules that come with the program: no points in quiet, or only in loud. */
#include <faultline.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int x, y;

#ifdef ONLY_LOUD
FAULTLINE_WITHIN(loud)
#else
FAULTLINE_WITHOUT(quiet)
#endif

static void quiet(void) { x = x + 1; }
static void loud(void) { y = y + 1; }
static void *both(void *unused) {
  quiet();
  loud();
  return unused;
}
static void show(void) { printf("%d%d", x, y); }

int main(void) {
  pthread_t a, b;
  atexit(show);
  pthread_create(&a, 0, both, 0);
  pthread_create(&b, 0, both, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
