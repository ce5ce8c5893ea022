/* Unnamed POSIX semaphores; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include "case.h"

static sem_t s;
static int x, inside, most;
static const struct timespec soon, wrong = {0, 1000000000};

static void report(const char *call, int result) {
  if (result == 0) printf("%s ok\n", call);
  else if (result == -1 && errno == EAGAIN) printf("%s EAGAIN\n", call);
  else if (result == -1 && errno == ETIMEDOUT) printf("%s ETIMEDOUT\n", call);
  else if (result == -1 && errno == EINVAL) printf("%s EINVAL\n", call);
  else if (result == -1 && errno == EOVERFLOW) printf("%s EOVERFLOW\n", call);
  else printf("%s %d, errno %d\n", call, result, errno);
}
#define REPORT(call) report(#call, call)

static void *worker(void *argument) {
  if (CASE == 1) { /* a binary semaphore keeps others out */
    sem_wait(&s);
    x++;
    sem_post(&s);
  } else if (CASE == 2) { /* hands over what was written before the post */
    x = 1;
    sem_post(&s);
  } else if (CASE == 3) { /* nobody posts */
    sem_wait(&s);
  } else if (CASE == 4) { /* two permits, three threads */
    sem_wait(&s);
    pthread_mutex_t *m = argument;
    pthread_mutex_lock(m);
    if (++inside > most) most = inside;
    pthread_mutex_unlock(m);
    pthread_mutex_lock(m);
    inside--;
    pthread_mutex_unlock(m);
    sem_post(&s);
  } else if (CASE == 5 || CASE == 6) {
    sem_post(&s);
  } else if (CASE == 9) { /* destroyed under a waiter */
    sem_wait(&s);
  } else if (CASE == 10) {
    sem_wait(&s);
    x = x * 10 + (int)(long)argument;
  }
  return argument;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t a, b, c;
  (void)a, (void)b, (void)c;
  if (CASE == 0) { /* what every call returns */
    int value = -1;
    REPORT(sem_init(&s, 0, 1));
    REPORT(sem_wait(&s));
    REPORT(sem_getvalue(&s, &value));
    assert(value == 0);
    REPORT(sem_trywait(&s));
    REPORT(sem_timedwait(&s, &soon));
    REPORT(sem_timedwait(&s, &wrong));
    REPORT(sem_post(&s));
    REPORT(sem_post(&s));
    REPORT(sem_getvalue(&s, &value));
    assert(value == 2);
    REPORT(sem_trywait(&s));
    REPORT(sem_timedwait(&s, &wrong));
    REPORT(sem_destroy(&s));
    REPORT(sem_init(&s, 0, 0x80000000u));
    REPORT(sem_init(&s, 0, SEM_VALUE_MAX));
    REPORT(sem_post(&s));
  } else if (CASE == 1) {
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
  } else if (CASE == 2) {
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, worker, 0);
    sem_wait(&s);
    assert(x == 1);
    pthread_join(a, 0);
  } else if (CASE == 3) {
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
  } else if (CASE == 4) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    sem_init(&s, 0, 2);
    pthread_create(&a, 0, worker, &m);
    pthread_create(&b, 0, worker, &m);
    pthread_create(&c, 0, worker, &m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    printf("%d", most);
  } else if (CASE == 5) { /* a timed wait ends either way */
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, worker, 0);
    REPORT(sem_timedwait(&s, &soon));
    pthread_join(a, 0);
  } else if (CASE == 6) { /* so does a try */
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, worker, 0);
    REPORT(sem_trywait(&s));
    pthread_join(a, 0);
  } else if (CASE == 7) { /* never initialised */
    sem_post(&s);
  } else if (CASE == 8) { /* used after it was destroyed */
    sem_init(&s, 0, 1);
    sem_destroy(&s);
    sem_wait(&s);
  } else if (CASE == 9) {
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, worker, 0);
    sem_destroy(&s);
    pthread_join(a, 0);
  } else if (CASE == 10) { /* a post wakes either of two */
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, worker, (void *)1);
    pthread_create(&b, 0, worker, (void *)2);
    sem_post(&s);
    pthread_join(a, 0);
    pthread_join(b, 0);
  } else if (CASE == 11) {
    sem_wait(0);
  }
  return 0;
}
