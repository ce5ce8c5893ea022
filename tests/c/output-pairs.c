/* Two threads write what the arguments say of two inputs, and the last one is printed. */
#include <faultline.h>
#include <pthread.h>
#include <stdio.h>

#undef no_sanitize
#define UNSEEN __attribute__((no_sanitize("thread")))

static unsigned char a = 4, b = 4, last;
static char *forms[2];

UNSEEN static unsigned char form(char letter) {
  switch (letter) {
    case 'a': return a;
    case 'b': return b;
    case 'c': return a * 2;
    case 'd': return a + a;
    case 'e': return a ^ b;
    case 'f': return (a | b) - (a & b);
    case 'g': return a >> 1;
    case 'h': return (signed char)a / 2;
    case 'i': return a > 200 ? 0 : a;
    case 'j': return a & ~b;
    default: return a - (a & b);
  }
}

static void *write(void *which) {
  last = form(*forms[(long)which]);
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  faultline_symbolic(&a, 1, "a");
  faultline_symbolic(&b, 1, "b");
  for (long i = 0; i < 2; i++) {
    forms[i] = argv[1 + i];
    pthread_create(&threads[i], 0, write, (void *)i);
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  putchar(last);
  return 0;
}
