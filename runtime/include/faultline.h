/* For authors of tests. */
#ifndef FAULTLINE_H
#define FAULTLINE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Any of 0 … count - 1: all are tried. */
int faultline_choose(int count);

/* The thread gives way; switching to another here is no preemption. */
void faultline_yield(void);

/* A preemption point, whatever the points in use. */
void faultline_point(void);

/* The same as in SV-COMP. */
#ifdef __cplusplus
bool __VERIFIER_nondet_bool(void);
#else
_Bool __VERIFIER_nondet_bool(void);
#endif

/*
 * Any value from faultline_nondet_min to faultline_nondet_max, which the program has to define:
 * `const int faultline_nondet_min = 0, faultline_nondet_max = 2;`
 */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
char __VERIFIER_nondet_char(void);

/* What comes after a condition that does not hold is of no interest: the thread stops for ever, and that is no error. */
void __VERIFIER_assume(int condition);

/* Nobody else runs in between, unless the thread has to wait: for a lock, for another thread, or for a change. */
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

/* Fails the test. */
void reach_error(void);

#ifdef __cplusplus
}
#endif

#endif
