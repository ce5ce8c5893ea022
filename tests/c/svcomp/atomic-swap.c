// In the style of SV-COMP: a lock made of an atomic section; BROKEN leaves the section out.
#include <pthread.h>

extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
void reach_error(void);
void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

int locked = 0, inside = 0;

void acquire(void) {
#ifndef BROKEN
  __VERIFIER_atomic_begin();
#endif
  __VERIFIER_assume(locked == 0);
  locked = 1;
#ifndef BROKEN
  __VERIFIER_atomic_end();
#endif
}

void *thread(void *arg) {
  acquire();
  inside = inside + 1;
  __VERIFIER_assert(inside == 1);
  inside = inside - 1;
  __VERIFIER_atomic_begin();
  locked = 0;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  thread(0);
  pthread_join(t, 0);
  return 0;
}
