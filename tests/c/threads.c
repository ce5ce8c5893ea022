/* Creating, joining and ending threads; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "case.h"

static pthread_t main_thread, child;
static int done;

static void nested(void) {
  pthread_exit((void *)7);
}

static void *worker(void *argument) {
  if (CASE == 1) {
    assert(pthread_equal(pthread_self(), child));
    assert(!pthread_equal(pthread_self(), main_thread));
    return (char *)argument + 1;
  } else if (CASE == 2) {
    nested();
  } else if (CASE == 5) {
    exit(3);
  } else if (CASE == 6) {
    done = 1;
  } else if (CASE == 7) {
    done = 1;
    printf("worker\n");
  } else if (CASE == 8) {
    pthread_join(main_thread, 0);
  } else if (CASE == 9) {
    pthread_t grandchild;
    if (argument) {
      pthread_create(&grandchild, 0, worker, 0);
      pthread_join(grandchild, 0);
    }
  }
  return argument;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  void *result = 0;
  main_thread = pthread_self();
  if (CASE == 1) { /* results, handles and error codes */
    pthread_create(&child, 0, worker, (void *)41);
    assert(pthread_join(child, &result) == 0);
    assert(result == (void *)42);
    assert(pthread_join(main_thread, 0) == EDEADLK);
    assert(pthread_join((pthread_t)9999, 0) == ESRCH);
  } else if (CASE == 2) { /* pthread_exit in a nested call */
    pthread_create(&child, 0, worker, 0);
    assert(pthread_join(child, &result) == 0);
    assert(result == (void *)7);
  } else if (CASE == 5) { /* exit in a thread */
    pthread_create(&child, 0, worker, 0);
    pthread_join(child, 0);
  } else if (CASE == 6) { /* never joined */
    pthread_create(&child, 0, worker, 0);
  } else if (CASE == 7) { /* main ends by pthread_exit: the others go on */
    pthread_create(&child, 0, worker, 0);
    pthread_exit(0);
  } else if (CASE == 8) { /* two threads join each other */
    pthread_create(&child, 0, worker, 0);
    pthread_join(child, 0);
  } else if (CASE == 9) { /* names of threads */
    pthread_create(&child, 0, worker, &done);
    pthread_join(child, 0);
    pthread_create(&child, 0, worker, 0);
    pthread_join(child, 0);
  } else if (CASE == 10) { /* exit code of main */
    return 5;
  }
  return 0;
}
