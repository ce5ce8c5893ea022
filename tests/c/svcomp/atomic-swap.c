// In the style of SV-COMP: a lock made of an atomic section, and in the other thread of an atomic function, known by its
// name; BROKEN leaves both out.
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

#ifdef BROKEN
#define __VERIFIER_atomic_acquire just_acquire
#endif
int __VERIFIER_atomic_acquire(int value, long long other) {
  __VERIFIER_assume(locked == 0);
  locked = value;
  return value + (int)other;
}

void *thread(void *arg) {
  if (arg) {
    __VERIFIER_assert(__VERIFIER_atomic_acquire(1, 41) == 42);
  } else {
    acquire();
  }
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
  pthread_create(&t, 0, thread, &locked);
  thread(0);
  pthread_join(t, 0);
  return 0;
}
