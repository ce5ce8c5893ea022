/*
 * Atomic instructions as assembly of x86, as old headers have them, and functions that ask not to be instrumented. The case is
 * the number of arguments.
 */
#include "case.h"

#include <assert.h>
#include <pthread.h>

static int word, plain, results[2];

static int exchange(volatile int *p, int value) {
  __asm__ __volatile__("xchgl %0,%1" : "=r"(value) : "m"(*p), "0"(value) : "memory");
  return value;
}

#define cmpxchg(p, old, new)                                                                                           \
  ({                                                                                                                   \
    int result;                                                                                                        \
    asm volatile("lock; cmpxchgl %2,%1"                                                                                \
                 : "=a"(result), "+m"(*(p))                                                                            \
                 : "r"(new), "0"(old)                                                                                  \
                 : "memory");                                                                                          \
    result;                                                                                                            \
  })

static unsigned char compare_and_set(volatile int *p, int old, int new) {
  unsigned char done;
  asm volatile("lock\n\tcmpxchgl %2,%1\n\tsete %0" : "=q"(done), "+m"(*p) : "r"(new), "a"(old) : "memory", "cc");
  return done;
}

static int add(int *p, int value) {
  asm volatile("lock; xaddl %[value], %[place]" : [value] "+r"(value), [place] "+m"(*p) : : "memory");
  return value;
}

static int count_down(int *p) {
  unsigned char is_zero;
  asm volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(is_zero) : : "memory");
  return is_zero;
}

static void plus(int *p, int value) { asm volatile("lock; addl %1,%0" : "+m"(*p) : "ir"(value)); }

#if __has_feature(thread_sanitizer)
#error the program is told how it is compiled
#endif
__attribute__((no_sanitize_thread)) static void unseen(void) { plain++; }

static void *run(void *argument) {
  int me = argument != 0;
  switch (CASE) {
  case 0:
    unseen();
    break;
  case 1:
    while (cmpxchg(&word, 0, 1) != 0)
      ;
    plain++;
    exchange(&word, 0);
    break;
  case 2:
    while (!compare_and_set(&word, 0, 1))
      ;
    plain++;
    asm volatile("mfence" ::: "memory");
    word = 0;
    break;
  case 3:
    results[me] = add(&word, 2);
    plus(&plain, 1);
    break;
  case 4:
    results[me] = count_down(&word);
    break;
  }
  return 0;
}

int main(int count, char **arguments) {
  pthread_t thread;
  choose_case(count, arguments);
  if (CASE == 4) word = 2;
  pthread_create(&thread, 0, run, &thread);
  run(0);
  pthread_join(thread, 0);
  if (CASE < 3) assert(plain == 2);
  if (CASE == 3) assert(word == 4 && plain == 2 && results[0] + results[1] == 2);
  if (CASE == 4) assert(word == 0 && results[0] + results[1] == 1);
  return 0;
}
