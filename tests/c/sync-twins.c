/* Programs that tests/wasm-machine/sync-twins.test.ts also has as model programs; CASE chooses. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b;
static pthread_spinlock_t spin;
static pthread_mutex_t m;
static int x, y;
static const struct timespec soon;

static void set_up(void) {
  sem_init(&s, 0, CASE == 1 ? 1 : 0);
  pthread_barrier_init(&b, 0, 2);
  pthread_spin_init(&spin, 0);
  pthread_mutex_init(&m, 0);
}

#if CASE == 1 /* a semaphore as a lock */
#define THREADS 3
static void run(int i) {
  (void)i;
  sem_wait(&s);
  x++;
  sem_post(&s);
}
#elif CASE == 2 /* two producers, two consumers, one of them impatient */
#define THREADS 4
static void run(int i) {
  if (i < 2) sem_post(&s);
  else if (i == 2) sem_wait(&s);
  else if (sem_trywait(&s) == 0) x = 1;
}
#elif CASE == 3 /* a timed wait, and the value */
#define THREADS 3
static void run(int i) {
  if (i == 0) x = sem_timedwait(&s, &soon) == 0;
  else if (i == 1) sem_post(&s);
  else sem_getvalue(&s, &y);
}
#elif CASE == 4 /* two readers, a writer */
#define THREADS 3
static void run(int i) {
  if (i < 2) {
    pthread_rwlock_rdlock(&l);
    (void)*(volatile int *)&x;
  } else {
    pthread_rwlock_wrlock(&l);
    x = 1;
  }
  pthread_rwlock_unlock(&l);
}
#elif CASE == 5 /* all try */
#define THREADS 3
static void run(int i) {
  int failed = i < 2 ? pthread_rwlock_tryrdlock(&l) : pthread_rwlock_trywrlock(&l);
  if (!failed) pthread_rwlock_unlock(&l);
}
#elif CASE == 6 /* a barrier of two, three threads */
#define THREADS 3
static void run(int i) {
  (void)i;
  pthread_barrier_wait(&b);
}
#elif CASE == 7 /* two rounds */
#define THREADS 2
static void run(int i) {
  if (i == 0) x = 1;
  pthread_barrier_wait(&b);
  if (i == 1) x = 2;
  pthread_barrier_wait(&b);
  (void)*(volatile int *)&x;
}
#elif CASE == 8 /* a spin lock */
#define THREADS 3
static void run(int i) {
  (void)i;
  pthread_spin_lock(&spin);
  x++;
  pthread_spin_unlock(&spin);
}
#elif CASE == 9 /* one locks, one does not */
#define THREADS 2
static void run(int i) {
  if (i == 0) {
    x = 1;
  } else {
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
  }
}
#elif CASE == 10 /* a permit that is there from the beginning, and what one does not need it for */
#define THREADS 2
static void run(int i) {
  if (i == 0) {
    x = 1;
    sem_post(&s);
  } else {
    sem_wait(&s);
    x = 2;
  }
}
#endif

static void *start(void *argument) {
  run((int)(long)argument);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  set_up();
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, start, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  return 0;
}
