/*
 * A thread stores a part of an object and looks at the whole of it before the next point: what it finds there depends on what
 * the rest was, though its first access replaced what it met. For the comparison of executions done from memory with
 * executions of the program.
 */
#include <pthread.h>
static union { unsigned w; unsigned char b[4]; } u;
static unsigned copy, whole, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void *part(void *p) {
  u.b[0] = 1;
  unsigned x = u.w;
  pthread_mutex_lock(&m);
  copy = x;
  pthread_mutex_unlock(&m);
  return p;
}
static void *all(void *p) {
  u.w = 0x100;
  return p;
}
static void *apart(void *p) {
  pthread_mutex_lock(&n);
  other = 1;
  pthread_mutex_unlock(&n);
  return p;
}
int main(void) {
  void *(*const bodies[])(void *) = {part, all, apart};
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, bodies[i], 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  if (copy == 0x101) whole = 1;
  return 0;
}
