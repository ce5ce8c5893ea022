/* Lost update shown by exit status. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long total; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t(void *a) {
  for (int i = 0; i < 2; i++) {
#ifndef BUG
    pthread_mutex_lock(&m);
#endif
    total += 10;
#ifndef BUG
    pthread_mutex_unlock(&m);
#endif
  }
  return 0;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  pthread_t *th = calloc(n, sizeof *th);
  for (int i = 0; i < n; i++) pthread_create(th + i, 0, t, 0);
  for (int i = 0; i < n; i++) pthread_join(th[i], 0);
  printf("total %ld\n", total);
  free(th);
  return total == n * 20 ? EXIT_SUCCESS : EXIT_FAILURE;
}
