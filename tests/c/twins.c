/* Programs that tests/wasm-machine/twins.test.ts also has as model programs; CASE chooses. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y;
static volatile int flag, data;
static atomic_int a;
static const struct timespec soon;

#if CASE == 1 /* two wait, one signals once */
#define THREADS 3
static void run(int i) {
  pthread_mutex_lock(&m);
  if (i < 2) {
    pthread_cond_wait(&c, &m);
    x++;
  } else {
    pthread_cond_signal(&c);
  }
  pthread_mutex_unlock(&m);
}
#elif CASE == 2 /* a timed wait beside a signal */
#define THREADS 2
static void run(int i) {
  pthread_mutex_lock(&m);
  if (i == 0) x = pthread_cond_timedwait(&c, &m, &soon) == 0;
  else pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
}
#elif CASE == 3 /* both try */
#define THREADS 2
static void run(int i) {
  if (pthread_mutex_trylock(&m) == 0) {
    x = i;
    pthread_mutex_unlock(&m);
  } else {
    y = i;
  }
}
#elif CASE == 4 /* a flag */
#define THREADS 2
static void run(int i) {
  if (i == 0) {
    while (!flag) {}
    x = data;
  } else {
    data = 1;
    flag = 1;
  }
}
#elif CASE == 5 /* a spin lock that yields */
#define THREADS 2
static void run(int i) {
  (void)i;
  while (atomic_exchange(&a, 1) != 0) sched_yield();
  x++;
  atomic_store(&a, 0);
}
#elif CASE == 6 /* compare-exchange, once each */
#define THREADS 3
static void run(int i) {
  int expected = i;
  atomic_compare_exchange_strong(&a, &expected, i + 1);
}
#elif CASE == 7 /* broadcast */
#define THREADS 3
static void run(int i) {
  pthread_mutex_lock(&m);
  if (i < 2) {
    while (!x) pthread_cond_wait(&c, &m);
  } else {
    x = 1;
    pthread_cond_broadcast(&c);
  }
  pthread_mutex_unlock(&m);
}
#elif CASE == 8 /* two reads in each round of a spin */
#define THREADS 3
static void run(int i) {
  if (i == 0) {
    while (!flag || !data) {}
  } else if (i == 1) {
    flag = 1;
  } else {
    data = 1;
  }
}
#endif

static void *start(void *argument) {
  run((int)(long)argument);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, start, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  return 0;
}
