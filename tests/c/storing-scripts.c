/*
 * Runs scripts given as arguments, one per thread: up to five operations of twelve bits each, the first in the low bits.
 * tests/support/storing-programs.ts makes them; each thread has a loop that waits and stores.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int v[3];
static unsigned long long scripts[3];

static void *run(void *argument) {
  unsigned long long script = scripts[(long)argument];
  int r = 0, q = 0, n = 0;
  for (int place = 0; script != 0; script >>= 12, place++) {
    int at = script >> 3 & 3, value = script >> 5 & 3, body = script >> 7 & 7, to = script >> 10 & 3;
    switch (script & 7) {
      case 1: r = v[at]; break;
      case 2: v[at] = value; break;
      case 3: {
        int found = at == 0 ? r : at == 1 ? q : n;
        switch (place) { /* assertions, in lines of their own */
          case 0: assert(found != value); break;
          case 1: assert(found != value); break;
          case 2: assert(found != value); break;
          case 3: assert(found != value); break;
          case 4: assert(found != value); break;
        }
        break;
      }
      case 4:
        r = 0;
        while (r == 0) {
          r = v[at];
          switch (body) {
            case 0: v[to] = r; break;
            case 1: v[to] = value; break;
            case 2: q = 1 - q; break;
            case 3: n++; break;
            case 4: v[to] = ++n; break;
            case 5: v[to] = q; q = 1 - q; break;
          }
        }
        break;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[3];
  for (int i = 1; i < argc; i++) scripts[i - 1] = strtoull(argv[i], 0, 10);
  for (long i = 1; i < argc; i++) pthread_create(&threads[i - 1], 0, run, (void *)(i - 1));
  for (int i = 1; i < argc; i++) pthread_join(threads[i - 1], 0);
  printf("%d %d %d", v[0], v[1], v[2]);
}
