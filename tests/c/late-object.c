/* Whether `one` writes y depends on x; who else writes y comes late. */
#include <pthread.h>
#include <sched.h>
static int x, y, g;
static void *one(void *a) { if (!g) { sched_yield(); if (!x) y = 1; } return 0; }
static void *two(void *a) { x = 1; return 0; }
static void *three(void *a) { y = 2; return 0; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  g = 1;
  pthread_create(&t[2], 0, three, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
