/* Thread-specific data, its destructors, clean-up handlers, thread-local variables and errno. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key, again;
static atomic_int destroyed;
static int rounds, cleaned;
static _Thread_local int local = 5;

static void destroy(void *value) {
  assert(pthread_getspecific(key) == 0);
  atomic_fetch_add(&destroyed, *(int *)value);
}

static void destroy_again(void *value) {
  if (++rounds < 3) pthread_setspecific(again, value);
}

static void clean_up(void *value) { cleaned = cleaned * 10 + *(int *)value; }

static void *worker(void *argument) {
  static int one = 1, two = 2;
  assert(local == 5);
  local += *(int *)argument;
  errno = *(int *)argument;
  assert(pthread_getspecific(key) == 0);
  assert(pthread_setspecific(key, argument) == 0);
  assert(pthread_getspecific(key) == argument);
  if (*(int *)argument == 20) {
    pthread_setspecific(again, argument);
    pthread_cleanup_push(clean_up, &one);
    pthread_cleanup_push(clean_up, &two);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
  }
  assert(local == 5 + *(int *)argument);
  assert(errno == *(int *)argument);
  return 0;
}

int main(void) {
  static int values[2] = {1, 20};
  pthread_t threads[2];
  errno = 99;
  assert(pthread_key_create(&key, destroy) == 0);
  assert(pthread_key_create(&again, destroy_again) == 0);
  assert(key != again);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, &values[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(destroyed == 21);
  assert(rounds == 3);
  assert(cleaned == 21);
  assert(local == 5);
  assert(errno == 99);
  assert(pthread_key_delete(key) == 0);
  assert(pthread_key_delete(key) == EINVAL);
  assert(pthread_setspecific(key, values) == EINVAL);
  return 0;
}
