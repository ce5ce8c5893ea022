/* Striped LRU: moving between stripes in opposite orders. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#define STRIPES 2
struct entry { int key, val; struct entry *next; };
static struct { pthread_mutex_t m; struct entry *head; int n; } s[STRIPES];
static void put(int k, int v) {
  int i = k % STRIPES; pthread_mutex_lock(&s[i].m);
  struct entry *e = malloc(sizeof *e); e->key = k; e->val = v; e->next = s[i].head; s[i].head = e; s[i].n++;
  pthread_mutex_unlock(&s[i].m);
}
static void swap(int a, int b) {
  int i = a % STRIPES, j = b % STRIPES;
#ifndef BUG
  int x = i < j ? i : j, y = i < j ? j : i; i = x; j = y;
#endif
  pthread_mutex_lock(&s[i].m);
  pthread_mutex_lock(&s[j].m);
  struct entry *t = s[i].head; s[i].head = s[j].head; s[j].head = t;
  int n = s[i].n; s[i].n = s[j].n; s[j].n = n;
  pthread_mutex_unlock(&s[j].m);
  pthread_mutex_unlock(&s[i].m);
}
static void *t1(void *a) { put(0, 1); swap(0, 1); return 0; }
static void *t2(void *a) { put(1, 2); swap(1, 0); return 0; }
int main(void) {
  for (int i = 0; i < STRIPES; i++) pthread_mutex_init(&s[i].m, 0);
  pthread_t a, b;
  pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(s[0].n + s[1].n == 2);
}
