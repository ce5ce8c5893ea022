/* What is freed and what is not; the argument chooses. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static void *kept;
static _Atomic int taken;

__attribute__((constructor)) static void early(void) { kept = malloc(100); }

static void *make(size_t size) { return malloc(size); /* make */ }

static void *worker(void *argument) {
  char *mine = make(10);
  if (atomic_exchange(&taken, 1)) return argument; /* the second forgets its block */
  free(mine);
  return argument;
}

static void *sleeper(void *argument) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  void *mine = make(10);
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&never, &lock);
  free(mine);
  return argument;
}

static void use(int *block) { *block = 1; /* used */ }

static void drop(int *block) { free(block); /* dropped */ }

int main(int argc, char **argv) {
  pthread_t one, two;
  (void)argc;
  switch (atoi(argv[1])) {
  case 1:
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
  case 2:
    make(10);
    make(20);
    return 0;
  case 3:
    free(make(10));
    printf("%d\n", 1);
    return 0;
  case 4: /* what the thread would still have done is not known */
    pthread_create(&one, 0, sleeper, 0);
    return 0;
  case 5: /* another bug comes first */
    make(10);
    return 3;
  case 6: {
    int *block = make(sizeof *block);
    drop(block);
    use(block);
    return 0;
  }
  case 7: {
    int *block = make(sizeof *block);
    drop(block);
    drop(block);
    return 0;
  }
  }
  return 0;
}
