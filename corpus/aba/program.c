/* Treiber stack with nodes from a pool: ABA. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define N 3
#ifdef BUG
static atomic_int top; /* index + 1 */
#define IDX(x) (x)
#define MK(old, i) (i)
#else
static atomic_int top; /* tag in the upper bits */
#define IDX(x) ((x) & 255)
#define MK(old, i) ((((old) >> 8) + 1) << 8 | (i))
#endif
static atomic_int next[N + 1]; static atomic_int owner[N + 1];
static int pop(void) {
  for (;;) {
    int t = top; int i = IDX(t);
    if (!i) return 0;
    int n = next[i];
    if (atomic_compare_exchange_strong(&top, &t, MK(t, n))) { assert(atomic_fetch_add(&owner[i], 1) == 0); return i; }
  }
}
static void push(int i) {
  atomic_fetch_sub(&owner[i], 1);
  for (;;) {
    int t = top; next[i] = IDX(t);
    if (atomic_compare_exchange_strong(&top, &t, MK(t, i))) return;
  }
}
static void *a(void *x) { pop(); return 0; }
static void *b(void *x) { int i = pop(), j = pop(); (void)j; if (i) push(i); pop(); pop(); return 0; }
int main(void) {
  for (int i = 1; i <= N; i++) { owner[i] = 1; push(i); }
  pthread_t x, y;
  pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0);
  pthread_join(x, 0); pthread_join(y, 0);
}
