/* The conventions of SV-COMP. Weak: a program may have its own. */
#include "host.h"
#include "include/faultline.h"

#include <assert.h>

#define FL_WEAK __attribute__((weak))

/* The program says which values there are; nobody else can say so without claiming too much. */
extern const int faultline_nondet_min FL_WEAK;
extern const int faultline_nondet_max FL_WEAK;

static int fl_nondet(const char *without) {
  if (!&faultline_nondet_min || !&faultline_nondet_max) fl_unsupported(without);
  return faultline_nondet_min + fl_choose(faultline_nondet_max - faultline_nondet_min + 1);
}

FL_WEAK _Bool __VERIFIER_nondet_bool(void) {
  if (!fl_has_inputs()) return fl_choose(2);
  unsigned char value = 0;
  fl_symbolic(&value, sizeof value, "nondet_bool");
  return value & 1;
}

#define FL_NONDET(type, name)                                                                                          \
  FL_WEAK type __VERIFIER_nondet_##name(void) {                                                                        \
    if (fl_has_inputs()) {                                                                                             \
      type value = 0;                                                                                                  \
      fl_symbolic(&value, sizeof value, "nondet_" #name);                                                              \
      return value;                                                                                                    \
    }                                                                                                                  \
    return (type)fl_nondet("__VERIFIER_nondet_" #name " without faultline_nondet_min and faultline_nondet_max");       \
  }

FL_NONDET(int, int)
FL_NONDET(unsigned, uint)
FL_NONDET(unsigned, unsigned)
FL_NONDET(unsigned, u32)
FL_NONDET(long, long)
FL_NONDET(unsigned long, ulong)
FL_NONDET(long long, longlong)
FL_NONDET(unsigned long long, ulonglong)
FL_NONDET(size_t, size_t)
FL_NONDET(short, short)
FL_NONDET(unsigned short, ushort)
FL_NONDET(unsigned short, u16)
FL_NONDET(char, char)
FL_NONDET(unsigned char, uchar)
FL_NONDET(unsigned char, u8)

FL_WEAK void __VERIFIER_assume(int condition) {
  if (!condition) fl_assume_failed();
}

/* In the place of the program's own: src/frontends/wasm/rewrite/assumptions.ts. */
void fl_user_assume_abort_if_not(int condition) {
  if (!condition) fl_assume_failed();
}
void fl_user___VERIFIER_assume(int condition) {
  if (!condition) fl_assume_failed();
}

FL_WEAK void __VERIFIER_atomic_begin(void) { fl_atomic_begin(); }
FL_WEAK void __VERIFIER_atomic_end(void) { fl_atomic_end(); }

FL_WEAK void reach_error(void) { fl_reach_error(); }
FL_WEAK void __VERIFIER_error(void) { fl_reach_error(); }
