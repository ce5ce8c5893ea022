// In the style of SV-COMP: values that are not known, within stated bounds.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

const int faultline_nondet_min = 0, faultline_nondet_max = 3;

int shared;

void *writer(void *arg) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n != EXCLUDED);
  shared = __VERIFIER_nondet_bool() ? n : 0;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (shared == 2) __VERIFIER_error();
  pthread_join(t, 0);
  return 0;
}
