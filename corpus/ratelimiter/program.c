/* Tokens are looked at and taken in two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int tokens = 2; static atomic_int granted;
static int try_acquire(void) {
#ifdef BUG
  if (tokens > 0) { tokens--; return 1; }
  return 0;
#else
  int t = tokens;
  while (t > 0) if (atomic_compare_exchange_weak(&tokens, &t, t - 1)) return 1;
  return 0;
#endif
}
static void *client(void *a) { if (try_acquire()) granted++; return 0; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, client, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(granted == 2 && tokens == 0);
}
