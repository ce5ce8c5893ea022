/*
 * Runs scripts given as arguments, one per thread, as cancel-scripts.c does: loops around waits that time out, and what
 * can end them or get in between. ROUNDS bounds the loops; who runs out of them ends the program without a word.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int notes[3];

#ifdef ROUNDS
#define LOOP for (int round = 0;; round++, round < ROUNDS ? (void)0 : exit(0))
#else
#define LOOP for (;;)
#endif

static void *run(void *argument) {
  unsigned script = (unsigned)(long)argument >> 2;
  int id = (int)((long)argument & 3);
  struct timespec soon = {0, 0};
  for (; script != 0; script >>= 4) {
    int note = 0;
    switch (script & 15) {
      case 1: /* Looks first. */
        pthread_mutex_lock(&m);
        LOOP {
          if (atomic_load(&x)) break;
          pthread_cond_timedwait(&c, &m, &soon);
        }
        pthread_mutex_unlock(&m);
        break;
      case 2: /* Looks after, and knows whether it was told. */
        pthread_mutex_lock(&m);
        LOOP {
          note = pthread_cond_timedwait(&c, &m, &soon) == 0;
          if (note || atomic_load(&x)) break;
        }
        pthread_mutex_unlock(&m);
        break;
      case 3: atomic_store(&x, 1); break;
      case 4: pthread_cond_signal(&c); break;
      case 5: pthread_cond_broadcast(&c); break;
      case 6:
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        break;
      case 7:
        note = pthread_mutex_trylock(&m) == 0;
        if (note) pthread_mutex_unlock(&m);
        break;
      case 8:
        pthread_mutex_lock(&m);
        note = pthread_cond_timedwait(&c, &m, &soon) == 0;
        pthread_mutex_unlock(&m);
        break;
    }
    notes[id] = notes[id] * 2 + note;
  }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  for (int i = 1; i < argc; i++) pthread_create(&threads[i], 0, run, (void *)atol(argv[i]));
  for (int i = 1; i < argc; i++) pthread_join(threads[i], 0);
  printf("end %d %d %d", notes[0], notes[1], notes[2]);
  return 0;
}
