/* Loops around waits that time out; the argument chooses. ROUNDS bounds them, where it is given. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#ifdef ROUNDS
#define FOREVER for (int round = 0; round < ROUNDS; round++)
#else
#define FOREVER for (;;)
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int number, ready, told, seen, tries;
static const struct timespec deadline = {946684801, 0};

static void *wait(void *argument) {
  int failed = 1;
  switch (number) {
    case 1: /* The predicate is looked at before the wait. */
      pthread_mutex_lock(&m);
      FOREVER {
        if (ready) { failed = 0; break; }
        pthread_cond_timedwait(&c, &m, &deadline);
      }
      seen = ready;
      pthread_mutex_unlock(&m);
      break;
    case 2: /* After it. */
      pthread_mutex_lock(&m);
      FOREVER {
        pthread_cond_timedwait(&c, &m, &deadline);
        if (ready) { failed = 0; break; }
      }
      pthread_mutex_unlock(&m);
      break;
    case 3: /* Only the signal counts: it can be lost, again and again. */
      pthread_mutex_lock(&m);
      FOREVER {
        if (pthread_cond_timedwait(&c, &m, &deadline) == 0) { failed = 0; break; }
      }
      told = 1;
      pthread_mutex_unlock(&m);
      break;
    case 4: /* Another sees who holds the mutex. */
      pthread_mutex_lock(&m);
      FOREVER {
        if (__atomic_load_n(&ready, __ATOMIC_SEQ_CST)) { failed = 0; break; }
        pthread_cond_timedwait(&c, &m, &deadline);
      }
      pthread_mutex_unlock(&m);
      break;
    case 5:
      FOREVER {
        if (sem_timedwait(&s, &deadline) == 0) { failed = 0; break; }
      }
      break;
    case 6:
      FOREVER {
        if (pthread_mutex_trylock(&held) == 0) { failed = 0; break; }
        usleep(10);
      }
      if (!failed) pthread_mutex_unlock(&held);
      break;
    case 7: /* It counts: no two rounds are the same. */
      pthread_mutex_lock(&m);
      while (tries < 3) {
        pthread_cond_timedwait(&c, &m, &deadline);
        tries++;
      }
      pthread_mutex_unlock(&m);
      failed = 0;
      break;
    case 8: /* Nobody ever says so. */
      pthread_mutex_lock(&m);
      FOREVER {
        if (ready == 7) { failed = 0; break; }
        pthread_cond_timedwait(&c, &m, &deadline);
      }
      pthread_mutex_unlock(&m);
      break;
  }
#ifdef ROUNDS
  /* Rounds beyond the bound are of no interest. */
  if (failed) exit(0);
#endif
  printf("done ");
  return argument;
}

static void *act(void *argument) {
  switch (number) {
    case 3:
      pthread_mutex_lock(&m);
      pthread_cond_signal(&c);
      pthread_mutex_unlock(&m);
      pthread_mutex_lock(&m);
      if (!told) pthread_cond_signal(&c);
      pthread_mutex_unlock(&m);
      break;
    case 4:
      for (int i = 0; i < 2; i++) {
        if (pthread_mutex_trylock(&m) == 0) {
          tries |= 1 << i;
          pthread_mutex_unlock(&m);
        }
      }
      printf("%d ", tries);
      __atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
      break;
    case 5: sem_post(&s); break;
    case 6:
      pthread_mutex_lock(&held);
      pthread_mutex_unlock(&held);
      break;
    default:
      pthread_mutex_lock(&m);
      ready = 1;
      if (number == 1) pthread_cond_signal(&c);
      pthread_mutex_unlock(&m);
  }
  return argument;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  number = argc > 1 ? atoi(argv[1]) : 1;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, wait, 0);
  pthread_create(&b, 0, act, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
