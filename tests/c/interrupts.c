/*
 * Interrupts: runtime/include/faultline_kernel.h. Each argument is what a thread does, or with a number in front what the
 * handler of a device does that often:
 *
 *   a b c    adds one to a variable        [ ]   interrupts off and on
 *   A B C    doubles it and adds one       z     blocks; y does if a is 0; 0 to 9 unblock the thread of that number
 *
 * and, for what must not be: s sleeps, w waits for a semaphore, l waits in a loop, e goes round a loop for ever, i asks who
 * it is.
 */
#include <faultline.h>
#include <faultline_kernel.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#undef no_sanitize
#define UNSEEN __attribute__((no_sanitize("thread")))

static int a, b, c;
static atomic_int left;
static int ids[10];
static sem_t nobody;
static volatile int never;

/* Scripts do not change: nobody needs to see that they are read. */
UNSEEN static char at(const char *script, int i) { return script[i]; }
UNSEEN static int id_of(int number) { return ids[number]; }

static void run(const char *script) {
  for (int i = 0;; i++) {
    switch (at(script, i)) {
      case 0: return;
      case 'a': a++; break;
      case 'b': b++; break;
      case 'c': c++; break;
      case 'A': a = 2 * a + 1; break;
      case 'B': b = 2 * b + 1; break;
      case 'C': c = 2 * c + 1; break;
      case '[': faultline_disable_interrupts(); break;
      case ']': faultline_enable_interrupts(); break;
      case 'z': faultline_block(); break;
      case 'y':
        if (a == 0) faultline_block();
        break;
      case 's': usleep(1); break;
      case 'i': faultline_gettid(); break;
      case 'w': sem_wait(&nobody); break;
      case 'l': while (!never) continue; break;
      case 'e': for (volatile int n = 0;; n++) continue;
      default: faultline_unblock(id_of(at(script, i) - '0')); break;
    }
  }
}

static void *thread(void *script) {
  run(script);
  left--;
  faultline_vanish();
}

static void handler(void *script) {
  run(script);
  left--;
}

static int is_over(void) { return left == 0; }

int main(int argc, char **argv) {
  sem_init(&nobody, 0, 0);
  int threads = 0;
  /* Threads have numbers before any of them can run. */
  faultline_disable_interrupts();
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == 't') {
      left++;
      ids[threads++] = faultline_thread_fork(0, thread, argv[i] + 1);
    } else {
      left += argv[i][0] - '0';
      faultline_interrupt("device", handler, argv[i] + 1, argv[i][0] - '0');
    }
  }
  faultline_enable_interrupts();
  while (!is_over()) faultline_thread_yield(-1);
  printf("%d %d %d", a, b, c);
}
