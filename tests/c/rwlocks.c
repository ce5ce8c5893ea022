/* Reader-writer locks; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include "case.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, readers, most;
static const struct timespec soon, wrong = {0, -1};

static void report(const char *call, int result) {
  const char *name = result == 0             ? "ok"
                     : result == EBUSY       ? "EBUSY"
                     : result == ETIMEDOUT   ? "ETIMEDOUT"
                     : result == EINVAL      ? "EINVAL"
                                             : "?";
  printf("%s %s\n", call, name);
}
#define REPORT(call) report(#call, call)

static void *other(void *argument) {
  if (CASE == 0) {
    if (argument) { /* while main reads */
      REPORT(pthread_rwlock_tryrdlock(&l));
      REPORT(pthread_rwlock_unlock(&l));
      REPORT(pthread_rwlock_timedrdlock(&l, &wrong));
      REPORT(pthread_rwlock_unlock(&l));
      REPORT(pthread_rwlock_rdlock(&l));
      REPORT(pthread_rwlock_unlock(&l));
      REPORT(pthread_rwlock_trywrlock(&l));
      REPORT(pthread_rwlock_timedwrlock(&l, &soon));
      REPORT(pthread_rwlock_timedwrlock(&l, &wrong));
    } else { /* while main writes */
      REPORT(pthread_rwlock_tryrdlock(&l));
      REPORT(pthread_rwlock_timedrdlock(&l, &soon));
      REPORT(pthread_rwlock_timedrdlock(&l, &wrong));
      REPORT(pthread_rwlock_trywrlock(&l));
      REPORT(pthread_rwlock_timedwrlock(&l, &soon));
    }
  } else if (CASE == 1) { /* writers keep others out */
    pthread_rwlock_wrlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
  } else if (CASE == 2) { /* readers share */
    pthread_rwlock_rdlock(&l);
    pthread_mutex_lock(&m);
    if (++readers > most) most = readers;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    readers--;
    pthread_mutex_unlock(&m);
    pthread_rwlock_unlock(&l);
  } else if (CASE == 3) { /* a writer waits for readers */
    pthread_rwlock_wrlock(&l);
    x = 1;
    x = 2;
    pthread_rwlock_unlock(&l);
  } else if (CASE == 12) { /* unlock by another thread */
    pthread_rwlock_unlock(&l);
  } else if (CASE == 18) { /* a writer that never gives back */
    pthread_rwlock_wrlock(&l);
  }
  return argument;
}

static void run(void *argument) {
  pthread_t thread;
  pthread_create(&thread, 0, other, argument);
  pthread_join(thread, 0);
}

static void *writes_once(void *unused) {
  pthread_rwlock_wrlock(&l);
  x++;
  pthread_rwlock_unlock(&l);
  return unused;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t a, b;
  (void)a, (void)b, (void)run;
  if (CASE == 0) { /* what every call returns */
    pthread_rwlockattr_t attributes;
    assert(pthread_rwlockattr_init(&attributes) == 0);
    assert(pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE) == 0);
    REPORT(pthread_rwlock_init(&l, &attributes));
    assert(pthread_rwlockattr_destroy(&attributes) == 0);
    REPORT(pthread_rwlock_rdlock(&l));
    REPORT(pthread_rwlock_rdlock(&l));
    run(&l);
    REPORT(pthread_rwlock_unlock(&l));
    REPORT(pthread_rwlock_trywrlock(&l));
    REPORT(pthread_rwlock_unlock(&l));
    REPORT(pthread_rwlock_wrlock(&l));
    run(0);
    REPORT(pthread_rwlock_tryrdlock(&l));
    REPORT(pthread_rwlock_unlock(&l));
    REPORT(pthread_rwlock_timedwrlock(&l, &wrong));
    REPORT(pthread_rwlock_unlock(&l));
    REPORT(pthread_rwlock_destroy(&l));
  } else if (CASE == 1 || CASE == 2) {
    pthread_create(&a, 0, other, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (CASE == 1) assert(x == 2);
    else printf("%d", most);
  } else if (CASE == 3) {
    pthread_create(&a, 0, other, 0);
    pthread_rwlock_rdlock(&l);
    int first = x, second = x;
    pthread_rwlock_unlock(&l);
    pthread_join(a, 0);
    assert(first == second && first != 1);
    printf("%d", first);
  } else if (CASE == 10) { /* unlocked and not held */
    pthread_rwlock_unlock(&l);
  } else if (CASE == 11) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
  } else if (CASE == 12) {
    pthread_rwlock_rdlock(&l);
    run(0);
  } else if (CASE == 13) { /* waits for itself */
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
  } else if (CASE == 14) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_rdlock(&l);
  } else if (CASE == 15) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_wrlock(&l);
  } else if (CASE == 16) { /* destroyed while held */
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_destroy(&l);
  } else if (CASE == 17) {
    pthread_rwlock_destroy(&l);
    pthread_rwlock_rdlock(&l);
  } else if (CASE == 18) {
    run(0);
    pthread_rwlock_rdlock(&l);
  } else if (CASE == 19) { /* never initialised */
    pthread_rwlock_rdlock((pthread_rwlock_t *)(void *)(int[8]){1, 2, 3, 4, 5, 6, 7, 8});
  } else if (CASE == 20) { /* reads again while a writer may wait */
    pthread_t writer;
    pthread_create(&writer, 0, writes_once, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_join(writer, 0);
  } else if (CASE == 21 || CASE == 22) { /* the same, with a lock that lets waiting writers go first; or that is said to */
    pthread_t writer;
    pthread_rwlockattr_t attributes;
    int kind;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, CASE == 21 ? PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
                                                          : PTHREAD_RWLOCK_PREFER_WRITER_NP);
    assert(pthread_rwlockattr_getkind_np(&attributes, &kind) == 0 && kind != PTHREAD_RWLOCK_DEFAULT_NP);
    assert(pthread_rwlockattr_setkind_np(&attributes, 3) == EINVAL);
    pthread_rwlock_init(&l, &attributes);
    pthread_create(&writer, 0, writes_once, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_join(writer, 0);
  }
  return 0;
}
