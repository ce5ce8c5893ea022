/* Locals of one thread that others use: what they are called in reports. */
#include <assert.h>
#include <pthread.h>

#include "case.h"

struct slot {
  int uses;
  int last;
};

struct pool {
  int size;
  pthread_mutex_t locks[2];
  struct slot slots[3];
};

struct job {
  struct pool *pool;
  int *left;
  int first;
};

static void *count(void *argument) {
  struct job *job = argument;
  job->pool->slots[1].last++;
  --*job->left;
  return 0;
}

static void *take_both(void *argument) {
  struct job *job = argument;
  pthread_mutex_lock(&job->pool->locks[job->first]);
  pthread_mutex_lock(&job->pool->locks[1 - job->first]);
  pthread_mutex_unlock(&job->pool->locks[1 - job->first]);
  pthread_mutex_unlock(&job->pool->locks[job->first]);
  return 0;
}

/* A frame below that of main, which has frames above it, too. */
static void two(struct pool *pool, void *(*work)(void *)) {
  int left[2] = {9, 2};
  struct job jobs[2] = {{pool, &left[1], 0}, {pool, &left[1], 1}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, &jobs[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  if (work == count && CASE == 1) assert(left[1] == 0);
}

int main(int argc, char **argv) {
  struct pool pool = {2};
  choose_case(argc, argv);
  for (int i = 0; i < 2; i++) pthread_mutex_init(&pool.locks[i], 0);
  two(&pool, CASE == 2 ? take_both : count);
  if (CASE == 0) assert(pool.slots[1].last == 2);
}
