/* Locks and waits of which one at a time is left out: tests/classify/what-if.test.ts names the lines. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t filled;
static int count, hits, entry, item, ready;

static void enter(void) { pthread_mutex_lock(&guard); } /* in enter */

static void *counting(void *arg) {
  enter(); /* before counting */
  count++;
  pthread_mutex_unlock(&guard);
  pthread_mutex_lock(&guard); /* before hitting */
  hits |= 1;
  pthread_mutex_unlock(&guard);
  return arg;
}

static void *writing(void *arg) {
  pthread_rwlock_wrlock(&table); /* before writing */
  entry = 1;
  entry = 2;
  pthread_rwlock_unlock(&table);
  return arg;
}

static void *filling(void *arg) {
  item = 7;
  sem_post(&filled);
  return arg;
}

static void *waking(void *arg) {
  pthread_mutex_lock(&guard); /* before waking */
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&guard);
  return arg;
}

/* Takes part in counting, so that printing shows what was lost. */
static void print(void) {
  printf("count ");
  printf("%d\n", count);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  pthread_t a;
  sem_init(&filled, 0, 0);
  if (!strcmp(what, "count")) {
    pthread_create(&a, NULL, counting, NULL);
    counting(NULL);
    pthread_join(a, NULL); /* before printing */
    print();
  } else if (!strcmp(what, "table")) {
    pthread_create(&a, NULL, writing, NULL);
    pthread_rwlock_rdlock(&table); /* before reading */
    int seen = entry;
    pthread_rwlock_unlock(&table);
    assert(seen != 1);
    pthread_join(a, NULL);
  } else if (!strcmp(what, "item")) {
    pthread_create(&a, NULL, filling, NULL);
    sem_wait(&filled); /* before taking */
    assert(item == 7);
    pthread_join(a, NULL);
  } else {
    pthread_create(&a, NULL, waking, NULL);
    pthread_mutex_lock(&guard); /* before waiting */
    while (!ready) pthread_cond_wait(&changed, &guard);
    pthread_mutex_unlock(&guard);
    pthread_join(a, NULL);
  }
  return 0;
}
