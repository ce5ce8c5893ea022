/* Merges before the second half was joined. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int *a; int n; int depth; } job;
static void merge(int *a, int n) {
  int t[8], m = n / 2, i = 0, j = m, k = 0;
  while (i < m && j < n) t[k++] = a[i] <= a[j] ? a[i++] : a[j++];
  while (i < m) t[k++] = a[i++];
  while (j < n) t[k++] = a[j++];
  memcpy(a, t, n * sizeof *a);
}
static void *sort(void *p) {
  job *jb = p;
  if (jb->n < 2) return 0;
  job l = {jb->a, jb->n / 2, jb->depth - 1}, r = {jb->a + jb->n / 2, jb->n - jb->n / 2, jb->depth - 1};
  if (jb->depth > 0) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, sort, &l); pthread_create(&t2, 0, sort, &r);
    pthread_join(t1, 0);
#ifdef BUG
    merge(jb->a, jb->n);
    pthread_join(t2, 0);
    return 0;
#else
    pthread_join(t2, 0);
#endif
  } else { sort(&l); sort(&r); }
  merge(jb->a, jb->n);
  return 0;
}
int main(void) {
  int a[6] = {5, 2, 9, 1, 7, 3};
  job j = {a, 6, 1};
  sort(&j);
  for (int i = 1; i < 6; i++) assert(a[i - 1] <= a[i]);
}
