/*
 * Runs scripts given as arguments, one per thread: numbers of up to six operations of five bits each, the first in the
 * low bits. tests/wasm-machine/scripts.test.ts has the same as model programs.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static int x[2];
static atomic_int a[2];
static pthread_mutex_t m[2];
static pthread_cond_t c[2];

static void *run(void *argument) {
  unsigned script = (unsigned)(long)argument >> 2;
  int id = (int)((long)argument & 3);
  struct timespec soon = {0, 0};
  for (; script != 0; script >>= 5) {
    int k = (script >> 4) & 1;
    int expected = 0;
    switch (script & 15) {
      case 1: (void)*(volatile int *)&x[k]; break;
      case 2: x[k] = id; break;
      case 3: atomic_fetch_add(&a[k], 1); break;
      case 4: atomic_compare_exchange_strong(&a[k], &expected, id + 1); break;
      case 5:
        pthread_mutex_lock(&m[k]);
        x[k]++;
        pthread_mutex_unlock(&m[k]);
        break;
      case 6:
        if (pthread_mutex_trylock(&m[k]) == 0) {
          x[k] = id;
          pthread_mutex_unlock(&m[k]);
        }
        break;
      case 7:
        pthread_mutex_lock(&m[k]);
        pthread_cond_signal(&c[k]);
        pthread_mutex_unlock(&m[k]);
        break;
      case 8:
        pthread_mutex_lock(&m[k]);
        pthread_cond_timedwait(&c[k], &m[k], &soon);
        pthread_mutex_unlock(&m[k]);
        break;
      case 9:
        pthread_mutex_lock(&m[k]);
        pthread_cond_wait(&c[k], &m[k]);
        pthread_mutex_unlock(&m[k]);
        break;
      case 10: pthread_cond_broadcast(&c[k]); break;
      case 11: sched_yield(); break;
      case 12: atomic_exchange(&a[k], id + 1); break;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  for (int i = 1; i < argc; i++) pthread_create(&threads[i], 0, run, (void *)atol(argv[i]));
  for (int i = 1; i < argc; i++) pthread_join(threads[i], 0);
  return 0;
}
