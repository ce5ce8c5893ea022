/*
 * Random programs over an input of eight values. Each of the first two arguments is the script of a thread, the third what main
 * does before, the fourth what it does after: letters, each followed by a digit.
 */
#include <assert.h>
#include <faultline.h>
#include <pthread.h>

static unsigned char x;
static int value, s, t, table[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#undef no_sanitize
__attribute__((no_sanitize("thread"))) static void *run(void *argument) {
  for (const char *at = argument; at[0] && at[1]; at += 2) {
    int k = at[1] - '0';
    extern void step(int, int);
    step(at[0], k);
  }
  return 0;
}

void step(int what, int k) {
  switch (what) {
    case 'a': if (value == k) s++; break;
    case 'b': if (value > k) t = s; break;
    case 'c': t = value + k; break;
    case 'd': if (t == k) s += 2; break;
    case 'e': pthread_mutex_lock(&lock); s ^= k; pthread_mutex_unlock(&lock); break;
    case 'f': table[value & 3]++; break;
    case 'g': assert(s != k + 2); break;
    case 'h': assert(t != k + 4); break;
    case 'i': { int expected = k; __atomic_compare_exchange_n(&t, &expected, value, 0, 5, 5); break; }
    case 'j': s = 10 / (t - k); break;
    case 'k': if (table[k & 3] > 1) s = k; break;
    case 'l': __atomic_exchange_n(&t, value, 5); break;
    case 'm': while (__atomic_load_n(&s, 5) > k + 3); break;
    default: break;
  }
}

int main(int argc, char **argv) {
  faultline_symbolic(&x, sizeof x, "x");
  value = x & 7;
  t = 9;
  run(argv[3]);
  pthread_t a, b;
  pthread_create(&a, 0, run, argv[1]);
  pthread_create(&b, 0, run, argv[2]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  run(argv[4]);
  return 0;
}
