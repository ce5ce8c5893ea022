/* THE work-stealing queue; steal without the lock order of head and tail. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#define SIZE 8
typedef struct { pthread_mutex_t m; atomic_int head, tail; int tasks[SIZE]; } Deque;
Deque q;
static int put(int e) { int t = q.tail; q.tasks[t % SIZE] = e; q.tail = t + 1; return 1; }
static int take(int *e) {
#ifdef BUG
  int t = q.tail - 1;
  int h = q.head;
  if (h < t) { q.tail = t; *e = q.tasks[t % SIZE]; return 1; }
#else
  int t = q.tail - 1;
  q.tail = t;
  if (q.head < t) { *e = q.tasks[t % SIZE]; return 1; }
  q.tail = t + 1;
#endif
  pthread_mutex_lock(&q.m);
  int ok = 0;
  if (q.head <= t) { q.tail = t; *e = q.tasks[t % SIZE]; ok = 1; }
  pthread_mutex_unlock(&q.m);
  return ok;
}
static int steal(int *e) {
  pthread_mutex_lock(&q.m);
  int h = q.head, ok = 0;
  q.head = h + 1;
  if (h < q.tail) { *e = q.tasks[h % SIZE]; ok = 1; } else q.head = h;
  pthread_mutex_unlock(&q.m);
  return ok;
}
atomic_int done[3];
void *thief(void *a) { int e; for (int i = 0; i < 2; i++) if (steal(&e)) assert(atomic_fetch_add(&done[e], 1) == 0); return 0; }
int main(void) {
  pthread_t t; int e;
  pthread_mutex_init(&q.m, 0);
  pthread_create(&t, 0, thief, 0);
  put(0); put(1);
  if (take(&e)) assert(atomic_fetch_add(&done[e], 1) == 0);
  put(2);
  if (take(&e)) assert(atomic_fetch_add(&done[e], 1) == 0);
  if (take(&e)) assert(atomic_fetch_add(&done[e], 1) == 0);
  pthread_join(t, 0);
  while (take(&e)) assert(atomic_fetch_add(&done[e], 1) == 0);
  for (int i = 0; i < 3; i++) assert(done[i] == 1);
}
