// In the style of SV-COMP: assumptions that the program brings along, for tools that know nothing of them.
#include <pthread.h>
#include <stdlib.h>

extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

const int faultline_nondet_min = 0, faultline_nondet_max = 2;

#ifdef ENDLESS
#define assume __VERIFIER_assume
void __VERIFIER_assume(int condition) {
  if (!condition) {
  again:
    goto again;
  }
}
#else
#define assume assume_abort_if_not
void assume_abort_if_not(int condition) {
  if (!condition) abort();
}
#endif

int ready, shared;

void *reader(void *arg) {
  assume(ready);
  assume(shared != EXCLUDED);
  if (shared == 2) reach_error();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  shared = __VERIFIER_nondet_ushort();
  ready = 1;
  pthread_join(t, 0);
  return 0;
}
