/* Get, add, set: with the lock dropped in between. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct item { char key[8]; char value[8]; struct item *next; } item;
static item *hash[4];
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned h(const char *k) { unsigned x = 5381; while (*k) x = x * 33 + (unsigned char)*k++; return x % 4; }
static item *find(const char *k) { for (item *i = hash[h(k)]; i; i = i->next) if (!strcmp(i->key, k)) return i; return 0; }
static void set(const char *k, const char *v) {
  item *i = find(k);
  if (!i) { i = calloc(1, sizeof *i); strcpy(i->key, k); i->next = hash[h(k)]; hash[h(k)] = i; }
  strcpy(i->value, v);
}
static void incr(const char *k) {
  char tmp[8];
  pthread_mutex_lock(&cache_lock);
  int v = atoi(find(k)->value);
#ifdef BUG
  pthread_mutex_unlock(&cache_lock);
#endif
  snprintf(tmp, sizeof tmp, "%d", v + 1);
#ifdef BUG
  pthread_mutex_lock(&cache_lock);
#endif
  set(k, tmp);
  pthread_mutex_unlock(&cache_lock);
}
static void *client(void *a) { incr("hits"); return 0; }
int main(void) {
  set("hits", "41");
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, client, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(strcmp(find("hits")->value, "43") == 0);
}
