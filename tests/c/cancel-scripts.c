/*
 * Runs scripts given as arguments, one per thread: numbers of up to six operations of five bits each, the first in the
 * low bits. Threads cancel each other; what each came to is printed.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int x;
static sem_t s;
static pthread_mutex_t m;
static pthread_cond_t c;
static pthread_t threads[4];
static int ended[4];

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
static void note(void *place) { *(int *)place = 1; }

static void wait(int timed) {
  struct timespec soon = {0, 0};
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  if (timed) pthread_cond_timedwait(&c, &m, &soon);
  else pthread_cond_wait(&c, &m);
  x++;
  pthread_cleanup_pop(1);
}

static int other_of(int id, unsigned script) { return (script >> 4) & 1 ? (id + 2) % 3 : (id + 1) % 3; }

static void *run(void *argument) {
  unsigned script = (unsigned)(long)argument >> 2;
  int id = (int)((long)argument & 3);
  struct timespec soon = {0, 0};
  void *result;
  pthread_cleanup_push(note, &ended[id]);
  for (; script != 0; script >>= 5) {
    int other = other_of(id, script);
    switch (script & 15) {
      case 1: pthread_cancel(threads[other]); break;
      case 2: pthread_testcancel(); break;
      case 3: sem_wait(&s); break;
      case 4: sem_post(&s); break;
      case 5: sem_timedwait(&s, &soon); break;
      case 6: wait(0); break;
      case 7: wait(1); break;
      case 8: pthread_cond_signal(&c); break;
      case 9: pthread_cond_broadcast(&c); break;
      case 10: pthread_join(threads[other], &result); break;
      case 11: pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0); break;
      case 12: pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0); break;
      case 13: usleep(1); break;
      case 14: x = id; break;
      case 15: sem_trywait(&s); break;
    }
  }
  pthread_cleanup_pop(0);
  return 0;
}

int main(int argc, char **argv) {
  void *result;
  sem_init(&s, 0, 0);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  for (int i = 1; i < argc; i++) pthread_create(&threads[i - 1], 0, run, (void *)atol(argv[i]));
  int joined[3] = {0}; /* By another: a thread is joined once. */
  for (int i = 1; i < argc; i++)
    for (unsigned script = (unsigned)atol(argv[i]) >> 2; script != 0; script >>= 5)
      if ((script & 15) == 10) joined[other_of(i - 1, script)] = 1;
  for (int i = 1; i < argc; i++) {
    if (joined[i - 1]) continue;
    int error = pthread_join(threads[i - 1], &result);
    printf("%d:%d:%d ", error, error ? 0 : (int)(long)result, ended[i - 1]);
  }
  return 0;
}
