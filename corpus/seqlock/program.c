/* A sequence lock whose reader does not look at the number again. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint seq; static atomic_int a, b;
static void *writer(void *x) {
  for (int i = 1; i <= 2; i++) {
#ifdef BUG
    a = i; seq++; b = i; seq++;
#else
    seq++; a = i; b = i; seq++;
#endif
  }
  return 0;
}
static void *reader(void *x) {
  unsigned s; int ra, rb;
  do {
    while ((s = seq) & 1) ;
    ra = a; rb = b;
  } while (seq != s);
  assert(ra == rb);
  return 0;
}
int main(void) {
  pthread_t w, r;
  pthread_create(&w, 0, writer, 0); pthread_create(&r, 0, reader, 0);
  pthread_join(w, 0); pthread_join(r, 0);
}
