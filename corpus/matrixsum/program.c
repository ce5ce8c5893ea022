/* Arguments of threads share the loop variable. */
#include <assert.h>
#include <pthread.h>
#define R 3
#define C 2
static int mat[R][C] = {{1, 2}, {3, 4}, {5, 6}};
static int sums[R];
static void *row(void *arg) {
#ifdef BUG
  int r = *(int *)arg;
#else
  int r = (int)(long)arg;
#endif
  int s = 0;
  for (int i = 0; i < C; i++) s += mat[r][i];
  sums[r] = s;
  return 0;
}
int main(void) {
  pthread_t t[R]; int i;
#ifdef BUG
  for (i = 0; i < R; i++) pthread_create(&t[i], 0, row, &i);
#else
  for (i = 0; i < R; i++) pthread_create(&t[i], 0, row, (void *)(long)i);
#endif
  for (int k = 0; k < R; k++) pthread_join(t[k], 0);
  int total = 0;
  for (int k = 0; k < R; k++) total += sums[k];
  assert(total == 21);
}
