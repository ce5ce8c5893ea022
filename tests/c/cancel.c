/* Cancellation, one case each; CASE is the argument. Every case prints what it came to. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t s;
static pthread_key_t key;
static pthread_t waiter;
static int number, order[8], steps, blocked;
static const struct timespec soon = {946684801, 0};

static void note(void *what) { order[steps++] = (int)(long)what; }
static void unlock(void *mutex) {
  /* Held again, whatever woke the thread. */
  note((void *)1);
  assert(pthread_mutex_unlock(mutex) == 0);
}
static void take_permit(void *semaphore) { sem_wait(semaphore); }
static void rest(void *time) { usleep((unsigned)(long)time); }
static void at_key(void *value) { note(value); }

static void wait_on_condition(int timed) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(note, (void *)2);
  pthread_cleanup_push(unlock, &m);
  for (;;) {
    if (timed) pthread_cond_timedwait(&c, &m, &soon);
    else pthread_cond_wait(&c, &m);
    if (timed) break;
  }
  pthread_cleanup_pop(1);
  pthread_cleanup_pop(0);
}

static void *sleeper(void *argument) {
  sem_wait(&s);
  return argument;
}

static void *run(void *argument) {
  pthread_t other;
  int old;
  switch (number) {
    case 1:
      pthread_setspecific(key, (void *)9);
      wait_on_condition(0);
      break;
    case 2: wait_on_condition(1); pthread_testcancel(); break;
    case 3:
      pthread_cleanup_push(note, (void *)3);
      sem_wait(&s);
      pthread_cleanup_pop(0);
      break;
    case 4: pthread_join(waiter, 0); break;
    case 5: /* No cancellation point at all. */
      pthread_mutex_lock(&m);
      pthread_mutex_unlock(&m);
      pthread_mutex_trylock(&m);
      pthread_mutex_unlock(&m);
      sched_yield();
      sem_post(&s);
      sem_trywait(&s);
      pthread_cond_signal(&c);
      pthread_barrier_wait(&barrier);
      return (void *)5;
    case 6: /* Not while disabled; then at the first point. */
      pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
      assert(old == PTHREAD_CANCEL_ENABLE);
      usleep(1);
      sem_wait(&s);
      note((void *)6);
      pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
      assert(old == PTHREAD_CANCEL_DISABLE);
      note((void *)7);
      pthread_testcancel();
      note((void *)8);
      break;
    case 7: usleep(1); return (void *)7;
    case 8: nanosleep(&soon, 0); return (void *)8;
    case 9: sleep(1); return (void *)9;
    case 10: sem_timedwait(&s, &soon); return (void *)10;
    case 11: thrd_sleep(&soon, 0); return (void *)11;
    case 12: clock_nanosleep(CLOCK_MONOTONIC, 0, &soon, 0); return (void *)12;
    case 13: /* Asked by itself: acts at the next point. */
      assert(pthread_cancel(pthread_self()) == 0);
      note((void *)4);
      pthread_testcancel();
      note((void *)5);
      break;
    case 14: /* Handlers may wait: nothing cancels them again. */
      pthread_cleanup_push(take_permit, &s);
      pthread_testcancel();
      pthread_cleanup_pop(0);
      return (void *)14;
    case 15: /* Already ending. */
      pthread_cleanup_push(rest, (void *)1);
      pthread_exit((void *)15);
      pthread_cleanup_pop(0);
    case 16: /* A spin that looks. */
      while (!__atomic_load_n(&blocked, __ATOMIC_SEQ_CST)) pthread_testcancel();
      return (void *)16;
    case 17: /* Two wait; the one that is cancelled uses up no signal. */
      pthread_mutex_lock(&m);
      pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &m);
      blocked++;
      pthread_cond_wait(&c, &m);
      pthread_cleanup_pop(1);
      return (void *)17;
    case 18: return (void *)18;
    case 19: /* A thread that waits for one that is cancelled. */
      pthread_create(&other, 0, sleeper, 0);
      pthread_cancel(other);
      pthread_join(other, &argument);
      assert(argument == PTHREAD_CANCELED);
      return (void *)19;
    case 20: /* The mutex stays locked. */
      pthread_mutex_lock(&m);
      usleep(1);
      pthread_mutex_unlock(&m);
      break;
  }
  return argument;
}

static void print_order(void) {
  for (int i = 0; i < steps; i++) printf("%d", order[i]);
}

int main(int argc, char **argv) {
  pthread_t thread, second;
  void *result;
  number = argc > 1 ? atoi(argv[1]) : 0;
  sem_init(&s, 0, 0);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_key_create(&key, at_key);
  assert(pthread_cancel((pthread_t)99) == ESRCH);
  if (number == 4) pthread_create(&waiter, 0, sleeper, 0);
  assert(pthread_create(&thread, 0, run, 0) == 0);
  if (number == 17) {
    int here;
    pthread_create(&second, 0, run, 0);
    pthread_mutex_lock(&m);
    here = blocked;
    pthread_mutex_unlock(&m);
    assert(pthread_cancel(thread) == 0);
    if (here == 2) pthread_cond_signal(&c);
    else pthread_cancel(second);
    pthread_join(thread, &result);
    printf("%d ", (int)(long)result);
    pthread_join(second, &result);
    printf("%d", (int)(long)result);
    return 0;
  }
  if (number == 19) {
    pthread_join(thread, &result);
    printf("%d", (int)(long)result);
    return 0;
  }
  if (number == 18) {
    pthread_join(thread, &result);
    printf("%d %d", (int)(long)result, pthread_cancel(thread) == ESRCH);
    return 0;
  }
  if (number == 3) sem_post(&s);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_cancel(thread) == 0);
  if (number == 2) pthread_cond_signal(&c);
  if (number == 6 || number == 14 || number == 10) sem_post(&s);
  if (number == 5) pthread_barrier_wait(&barrier);
  if (number == 16) __atomic_store_n(&blocked, 1, __ATOMIC_SEQ_CST);
  assert(pthread_join(thread, &result) == 0);
  printf("%d ", (int)(long)result);
  print_order();
  if (number == 1 || number == 2 || number == 20) pthread_mutex_lock(&m);
  if (number == 4) {
    sem_post(&s);
    assert(pthread_join(waiter, 0) == 0);
  }
  return 0;
}
