/*
 * Two kinds of threads whose steps depend on what others left: each case by another way of looking at it. For the
 * comparison of executions done from memory with executions of the program; the assertions fail in some orders.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <stdint.h>
#include <errno.h>
#ifndef CASE
#define CASE 1
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#if CASE == 1 /* qsort */
static int a[3] = {3, 1, 2};
static int cmp(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
static void *one(void *p) {
  pthread_mutex_lock(&m);
  qsort(a, 3, sizeof *a, cmp);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  int v = a[0];
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  int w = a[0];
  pthread_mutex_unlock(&m);
  assert(v == w);
  return 0;
}
#elif CASE == 2 /* pointers through grandchildren */
static int *volatile shared; static atomic_int go;
static void *leaf(void *p) {
  int *q = malloc(sizeof *q);
  *q = (int)(intptr_t)p;
  pthread_mutex_lock(&m);
  shared = q;
  pthread_mutex_unlock(&m);
  return 0;
}
static void *one(void *p) {
  pthread_t t;
  pthread_create(&t, 0, leaf, (void *)1);
  pthread_join(t, 0);
  return 0;
}
static void *two(void *p) {
  pthread_t t;
  pthread_create(&t, 0, leaf, (void *)2);
  pthread_mutex_lock(&m);
  int *q = shared;
  pthread_mutex_unlock(&m);
  if (q) assert(*q != 1 || go == 0);
  go = 1;
  pthread_join(t, 0);
  return 0;
}
#elif CASE == 3 /* struct of 24 bytes */
static struct s { long x, y, z; } s;
static void *one(void *p) {
  struct s n = {1, 2, 3};
  pthread_mutex_lock(&m);
  s = n;
  pthread_mutex_unlock(&m);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  struct s c = s;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  struct s d = s;
  pthread_mutex_unlock(&m);
  assert(c.z == d.z);
  return 0;
}
#elif CASE == 4 /* strings */
static char b[32];
static void *one(void *p) {
  pthread_mutex_lock(&m);
  strcpy(b, "hello");
  pthread_mutex_unlock(&m);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  int n = strlen(b);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  int k = strcmp(b, "hello") == 0;
  pthread_mutex_unlock(&m);
  assert(!(n == 0 && k));
  return 0;
}
#elif CASE == 5 /* union of sizes, no lock */
static union { uint32_t w; uint8_t b[4]; } u; static atomic_int f;
static void *one(void *p) {
  u.b[1] = 1;
  atomic_store(&f, 1);
  u.b[2] = 2;
  return 0;
}
static void *two(void *p) {
  if (atomic_load(&f)) { uint32_t w = u.w; assert(w != 0x20100); } return 0;
}
#elif CASE == 6 /* address of a local of another thread */
static _Atomic(int *) where;
static void *one(void *p) {
  volatile int mine = 5;
  atomic_store(&where, (int *)&mine);
  for (int i = 0; i < 2; i++) mine += i;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  int *q = atomic_load(&where);
  if (q) assert(*q != 6);
  pthread_mutex_unlock(&m);
  return 0;
}
#elif CASE == 7 /* snprintf and sscanf */
static char b[32]; static int n;
static void *one(void *p) {
  pthread_mutex_lock(&m);
  snprintf(b, sizeof b, "%d", ++n);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *two(void *p) {
  int v = 0;
  pthread_mutex_lock(&m);
  sscanf(b, "%d", &v);
  snprintf(b, sizeof b, "%d", ++n);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  int w = atoi(b);
  pthread_mutex_unlock(&m);
  assert(!(v == 0 && w == 2));
  return 0;
}
#elif CASE == 8 /* free and use */
static int *q; 
static void *one(void *p) {
  pthread_mutex_lock(&m);
  int *r = q;
  q = 0;
  pthread_mutex_unlock(&m);
  free(r);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  int *r = q;
  pthread_mutex_unlock(&m);
  if (r) *r = 1;
  return 0;
}
#elif CASE == 9 /* realloc, and results of join */
static int *q; static size_t n;
static void *one(void *p) {
  pthread_mutex_lock(&m);
  q = realloc(q, ++n * sizeof *q);
  q[n - 1] = n;
  pthread_mutex_unlock(&m);
  return (void *)(intptr_t)n;
}
static void *two(void *p) {
  pthread_t t;
  void *r;
  pthread_create(&t, 0, one, 0);
  one(0);
  pthread_join(t, &r);
  assert(r != (void *)2 || n < 3);
  return r;
}
#elif CASE == 10 /* errno, thread-locals, statics of functions */
static _Thread_local int mine; static int *their;
static int counter(void) { static int c; return ++c; }
static void *one(void *p) {
  mine = 3;
  pthread_mutex_lock(&m);
  their = &mine;
  mine += counter();
  pthread_mutex_unlock(&m);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  mine = counter();
  if (their) assert(*their != 4 || mine != 2);
  pthread_mutex_unlock(&m);
  return 0;
}
#elif CASE == 11 /* function pointers, memcpy of 8 and of 3 */
static int x, y; static void fa(void) { x++; } static void fb(void) { y++; } static void (*f)(void) = fa; static char c3[3];
static void *one(void *p) {
  void (*g)(void) = fb;
  pthread_mutex_lock(&m);
  memcpy(&f, &g, sizeof f);
  memcpy(c3, "abc", 3);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  f();
  char l[3];
  memcpy(l, c3, 3);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  f();
  pthread_mutex_unlock(&m);
  assert(l[2] == 'c' || y == 0 || x == 0);
  return 0;
}
#elif CASE == 12 /* doubles, 128 bit */
static double d; static __int128 w;
static void *one(void *p) {
  pthread_mutex_lock(&m);
  d += 0.5;
  w = (__int128)1 << 100;
  pthread_mutex_unlock(&m);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  d *= 2;
  __int128 v = w;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  assert(!(d == 0.5 && v == 0));
  pthread_mutex_unlock(&m);
  return 0;
}
#elif CASE == 13 /* fwrite/puts order and rand */
static void *one(void *p) {
  puts("a");
  pthread_mutex_lock(&m);
  int r = rand() % 3;
  pthread_mutex_unlock(&m);
  printf("%d\n", r);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  putchar('x');
  pthread_mutex_unlock(&m);
  puts("b");
  return 0;
}
#elif CASE == 14 /* strtok, strdup, getenv */
static char b[] = "a b c"; static char *t1;
static void *one(void *p) {
  pthread_mutex_lock(&m);
  t1 = strtok(b, " ");
  pthread_mutex_unlock(&m);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  char *t = t1 ? strtok(0, " ") : 0;
  char *d = strdup(b);
  pthread_mutex_unlock(&m);
  assert(!(t && *t == 'b' && strlen(d) == 1));
  free(d);
  return 0;
}
#endif
int main(void) {
  pthread_t t[3];
#if CASE == 8
  q = malloc(4);
#endif
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  pthread_create(&t[2], 0, CASE % 2 ? one : two, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
