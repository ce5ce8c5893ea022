/* A ticket lock that takes and advances the ticket in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int next, serving; static int c;
static void *worker(void *a) {
#ifdef BUG
  int me = next; next = me + 1;
#else
  int me = atomic_fetch_add(&next, 1);
#endif
  while (serving != me) ;
  c++;
  serving++;
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(c == 3);
}
