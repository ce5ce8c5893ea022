/*
 * Structures passed by value: who passes one reads it. CASE 1 to 4 fail where a thread passes what another one is writing; 5 passes
 * structures of all kinds, and expects them to arrive.
 */
#include <assert.h>
#include <complex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#ifndef CASE
#define CASE 1
#endif

struct pair { int a, b; };
struct large { int a[50]; };
static struct pair shared;
static struct large shared_large;
static int found;

static void take(struct pair p) { found = p.a + 10 * p.b; }
static void take_large(struct large p) { found = p.a[0] == 1 && p.a[49] == 1 ? 11 : 0; }
static void take_any(int n, ...) {
  va_list rest;
  va_start(rest, n);
  struct pair p = va_arg(rest, struct pair);
  va_end(rest);
  found = p.a + 10 * p.b;
}

static void *reader(void *p) {
  struct pair *pointer = &shared;
  void (*function)(struct pair) = take;
#if CASE == 1
  take(shared);
#elif CASE == 2
  take_large(shared_large);
#elif CASE == 3
  take_any(1, *pointer);
#elif CASE == 4
  function(pointer[0]);
#endif
  (void)pointer, (void)function;
  return p;
}

static void *writer(void *p) {
  shared.a = shared_large.a[0] = 1;
  shared.b = shared_large.a[49] = 1;
  return p;
}

union either { double d; struct { char c; long long l; } s; };
struct __attribute__((packed)) packed { char c; int i; short s; };
struct bits { unsigned a : 3, b : 7, c : 22, d : 9; };
struct nested { struct pair p[2]; union either e; };

static struct nested made(int i) {
  struct nested n = {{{i, i + 1}, {i + 2, i + 3}}, {.s = {(char)i, 1LL << 40}}};
  return n;
}
static int sum(struct nested n, struct packed p, struct bits b, struct nested m) {
  return n.p[0].a + n.p[1].b + n.e.s.c + (n.e.s.l == 1LL << 40) + p.c + p.i + p.s + (int)(b.a + b.b + b.c + b.d) + m.p[1].a;
}
static double complex twice(double complex z) { return 2 * z; }
static int changed(struct pair p) { p.a++; return p.a; }
static int recursive(struct pair p, int n) { return n == 0 ? p.a : p.b + recursive((struct pair){p.a + 1, p.b}, n - 1); }

static void all_kinds(void) {
  struct packed p = {1, 2, 3};
  struct bits b = {1, 2, 3, 4};
  struct nested n = made(5);
  int size = 3;
  struct pair several[size];
  for (int i = 0; i < size; i++) several[i] = (struct pair){i, 2 * i};
  assert(sum(n, p, b, made(1)) == 5 + 8 + 5 + 1 + 6 + 10 + 3);
  assert(sum(made(1), p, b, n) == 1 + 4 + 1 + 1 + 6 + 10 + 7);
  assert(creal(twice(1 + 2 * I)) == 2);
  for (int i = 0; i < size; i++) assert(changed(several[i]) == i + 1 && several[i].a == i);
  assert(recursive(several[2], 3) == 2 + 3 + 3 * 4);
  take_any(2, several[1]);
  assert(found == 21);
  found = 0;
}

int main(void) {
#if CASE == 5
  all_kinds();
#endif
  pthread_t t[2];
  pthread_create(&t[0], 0, reader, 0);
  pthread_create(&t[1], 0, writer, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(found != 11);
  return 0;
}
