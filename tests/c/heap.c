/* The allocator; CASE chooses. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "case.h"

static int *shared;
static void *addresses[4];
static pthread_mutex_t *lock;

static void *worker(void *argument) {
  long i = (long)argument;
  if (CASE == 2) {
    addresses[2 * i] = malloc(10);
    addresses[2 * i + 1] = malloc(1000);
  } else if (CASE == 3 || CASE == 10) {
    *shared = (int)i;
  } else if (CASE == 11) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
  }
  return 0;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t threads[2];
  (void)threads;
  if (CASE == 1) { /* one thread: contents, sizes, alignment */
    char *a = malloc(100), *b = calloc(10, 10), *c = 0;
    assert(a && b && a != b);
    for (int i = 0; i < 100; i++) assert(b[i] == 0);
    strcpy(a, "hello");
    a = realloc(a, 1000);
    assert(strcmp(a, "hello") == 0);
    a = realloc(a, 3);
    assert(memcmp(a, "hel", 3) == 0);
    c = realloc(c, 20);
    assert(c);
    void *aligned = aligned_alloc(256, 512);
    assert(aligned && (uintptr_t)aligned % 256 == 0);
    assert(posix_memalign(&aligned, 4096, 10) == 0 && (uintptr_t)aligned % 4096 == 0);
    assert(posix_memalign(&aligned, 3, 10) == EINVAL);
    assert((uintptr_t)malloc(1) % 16 == 0);
    assert(malloc(0) != malloc(0));
    assert(malloc(3000000000u) == 0 && errno == ENOMEM);
    char *copy = strdup("copied");
    assert(strcmp(copy, "copied") == 0);
    char *big = malloc(20000000);
    big[19999999] = 1;
    free(big);
    free(copy);
    free(a);
    free(b);
    free(c);
    free(0);
  } else if (CASE == 2) { /* addresses do not depend on the interleaving */
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    for (int i = 0; i < 4; i++) printf("%p ", addresses[i]);
  } else if (CASE == 3) { /* used after free, in some schedules */
    shared = malloc(sizeof *shared);
    pthread_create(&threads[0], 0, worker, 0);
    free(shared);
    pthread_join(threads[0], 0);
  } else if (CASE == 4) { /* freed twice */
    void *p = malloc(8);
    free(p);
    free(p);
  } else if (CASE == 5) { /* freed in the middle */
    char *p = malloc(8);
    free(p + 4);
  } else if (CASE == 6) { /* not from the heap */
    static int x;
    void *p = &x;
    free(p);
  } else if (CASE == 7) { /* without end */
    for (;;) {
      char *p = malloc(1 << 20);
      p[0] = 1;
    }
  } else if (CASE == 8) { /* far too much at once */
    char *p = malloc(2000000000u);
    p[0] = 1;
  } else if (CASE == 9) { /* reallocated after free */
    void *p = malloc(8);
    free(p);
    p = realloc(p, 16);
  } else if (CASE == 10) { /* freed after the thread is done: right */
    shared = malloc(sizeof *shared);
    pthread_create(&threads[0], 0, worker, 0);
    pthread_join(threads[0], 0);
    free(shared);
  } else if (CASE == 11) { /* a mutex is freed while another thread may use it */
    lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, 0);
    pthread_create(&threads[0], 0, worker, 0);
    free(lock);
    pthread_join(threads[0], 0);
  }
  return 0;
}
