/* Two flags in one word, each set by its own thread: bits that lie together are written together. */
#include <assert.h>
#include <pthread.h>
static struct {
#ifdef BUG
  unsigned first : 1, second : 1; // cause
#else
  unsigned char first, second;
#endif
} flags;

static void *set_first(void *unused) {
  flags.first = 1; // cause
  return unused;
}

static void *set_second(void *unused) {
  flags.second = 1; // cause
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set_first, 0);
  pthread_create(&b, 0, set_second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(flags.first && flags.second);
}
