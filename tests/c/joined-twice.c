/* Two join the same thread: with error codes, who comes late is told so. Fails where `one` does, and `four` comes before `three`. */
#include <assert.h>
#include <pthread.h>
static pthread_t target;
static int a, z, w;
static void *none(void *p) { return p; }
static void *one(void *p) { int rc = pthread_join(target, 0); a = rc; return p; }
static void *two(void *p) { pthread_join(target, 0); return p; }
static void *three(void *p) { z = 1; return p; }
static void *four(void *p) { w = z; return p; }
int main(void) {
  pthread_t t[4];
  pthread_create(&target, 0, none, 0);
  void *(*const f[4])(void *) = {one, two, three, four};
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f[i], 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  int y = w, x = a;
  assert(!(y == 0 && x != 0));
  return 0;
}
