/* Chase-Lev: pop of the last element without compare-exchange. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define EMPTY (-1)
#define ABORT (-2)
static atomic_int top, bottom; static atomic_int buf[4];
static void push(int v) { int b = bottom; buf[b & 3] = v; bottom = b + 1; }
static int pop(void) {
  int b = bottom - 1; bottom = b;
  int t = top;
  if (t > b) { bottom = t; return EMPTY; }
  int v = buf[b & 3];
  if (t == b) {
#ifndef BUG
    int e = t;
    if (!atomic_compare_exchange_strong(&top, &e, t + 1)) v = EMPTY;
#else
    top = t + 1;
#endif
    bottom = t + 1;
  }
  return v;
}
static int steal(void) {
  int t = top, b = bottom;
  if (t >= b) return EMPTY;
  int v = buf[t & 3], e = t;
  return atomic_compare_exchange_strong(&top, &e, t + 1) ? v : ABORT;
}
static atomic_int taken[3];
static void use(int v) { if (v >= 0) assert(atomic_fetch_add(&taken[v], 1) == 0); }
static void *thief(void *a) { use(steal()); use(steal()); return 0; }
int main(void) {
  pthread_t t;
  push(0); push(1);
  pthread_create(&t, 0, thief, 0);
  use(pop()); push(2); use(pop()); use(pop());
  pthread_join(t, 0);
  int v; while ((v = pop()) != EMPTY) use(v);
  for (int i = 0; i < 3; i++) assert(taken[i] == 1);
}
