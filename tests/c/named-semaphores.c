/* Semaphores with a name; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include "case.h"

static int x;

static void *count(void *unused) {
  sem_t *s = sem_open("/gate", O_CREAT, 0600, 1);
  sem_wait(s);
  x++;
  sem_post(s);
  sem_close(s);
  return unused;
}

static void *try_name(void *unused) {
  sem_t *s = sem_open("/late", 0);
  if (s == SEM_FAILED) printf("none, errno is %s", errno == ENOENT ? "ENOENT" : "another");
  else printf("%d permits", (sem_getvalue(s, &x), x));
  return unused;
}

static void *claim(void *won) {
  sem_t *s = sem_open("/claim", O_CREAT | O_EXCL, 0600, 0);
  if (s != SEM_FAILED) *(int *)won = 1;
  else assert(errno == EEXIST);
  return 0;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t a, b;
  if (CASE == 0) { /* what every call returns */
    assert(sem_open("/x", 0) == SEM_FAILED && errno == ENOENT);
    assert(sem_open("", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
    assert(sem_open("/x", O_CREAT, 0600, 0x80000000u) == SEM_FAILED && errno == EINVAL);
    sem_t *s = sem_open("/x", O_CREAT, 0600, 2), *other = sem_open("/y", O_CREAT, 0600, 5);
    assert(s != SEM_FAILED && other != s && sem_open("/x", O_CREAT, 0600, 7) == s && sem_open("/x", 0) == s);
    assert(sem_open("/x", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_wait(s) == 0 && sem_getvalue(s, &x) == 0 && x == 1);
    assert(sem_unlink("/x") == 0 && sem_unlink("/x") == -1 && errno == ENOENT);
    assert(sem_open("/x", 0) == SEM_FAILED && sem_trywait(s) == 0);
    sem_t *again = sem_open("/x", O_CREAT, 0600, 3);
    assert(again != s && sem_close(s) == 0 && sem_close((sem_t *)&x) == -1 && errno == EINVAL);
  } else if (CASE == 1) { /* whoever opens it first makes it */
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
  } else if (CASE == 2) { /* it may not be there yet */
    pthread_create(&a, 0, try_name, 0);
    sem_open("/late", O_CREAT, 0600, 4);
    pthread_join(a, 0);
  } else if (CASE == 3) { /* one of two makes it */
    static int won[2];
    pthread_create(&a, 0, claim, &won[0]);
    pthread_create(&b, 0, claim, &won[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(won[0] + won[1] == 1);
    printf("%d", won[1]);
  } else if (CASE == 4) { /* nobody posts */
    sem_wait(sem_open("/gate", O_CREAT, 0600, 0));
  }
}
