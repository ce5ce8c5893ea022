/* What compilers accept and other machines run, although the language does not have it so. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

static int calls;
int common;

static void *without_argument() {
  calls++;
  return (void *)1;
}

static void without_result(void *argument) { calls += argument == &calls; }

static void without_either(void) { calls++; }

static double own;

/* Its own, which nobody needs to provide. */
double drand48(void) { return own += 1; }

/* From a header of another machine. */
void elsewhere(int *) __attribute__((__regparm__(1)));

static void *start(void *(*function)(void *)) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, function, &calls);
  pthread_join(thread, &result);
  return result;
}

typedef void *(*start_function)(void *);

#line 7 "/nowhere/odd.y"
void main(int argc, char **argv) {
  struct timespec now;
  assert(argc == 2 && argv[1][0] == 'x');
  assert(start((start_function)without_argument) == (void *)1);
  assert(start((start_function)without_result) == 0);
  assert(start((start_function)without_either) == 0);
  assert(calls == 3);
  assert(drand48() == 1 && drand48() == 2);
  assert(clock_gettime(CLOCK_MONOTONIC, &now) == 0 && now.tv_sec >= 0);
  assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
}
