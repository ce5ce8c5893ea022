#define _GNU_SOURCE
#include "signal_pool.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define POOL_THREAD_LOCAL __thread
#elif defined(_MSC_VER)
#define POOL_THREAD_LOCAL __declspec(thread)
#else
#error "which compiler is this?"
#endif

struct job {
  struct job *next;
  signal_pool_job run;
  void *argument;
};

struct signal_pool {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct job *first, **last;
  int stopping;
  int asked;
  int threads;
  pthread_t thread[];
};

static POOL_THREAD_LOCAL volatile sig_atomic_t interrupted;
#ifdef BUG
static signal_pool *current;
#endif

static void on_signal(int number) {
  (void)number;
  interrupted = 1;
#ifdef BUG
  /* Its thread may hold the lock already. */
  pthread_mutex_lock(&current->lock);
  current->asked++;
  pthread_mutex_unlock(&current->lock);
#endif
}

int signal_pool_interrupted(void) { return interrupted; }

static void *work(void *argument) {
  signal_pool *pool = (signal_pool *)argument;
  for (;;) {
    struct job *job;
    pthread_mutex_lock(&pool->lock);
    while (!pool->first && !pool->stopping) pthread_cond_wait(&pool->changed, &pool->lock);
    job = pool->first;
    if (!job) {
      pthread_mutex_unlock(&pool->lock);
      return NULL;
    }
    pool->first = job->next;
    if (!pool->first) pool->last = &pool->first;
    pthread_mutex_unlock(&pool->lock);
    job->run(job->argument);
    free(job);
  }
}

signal_pool *signal_pool_new(int threads) {
  struct sigaction action;
  signal_pool *pool = (signal_pool *)calloc(1, sizeof *pool + (size_t)threads * sizeof(pthread_t));
  int i;
  if (!pool) return NULL;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->changed, NULL);
  pool->last = &pool->first;
  pool->threads = threads;
#ifdef BUG
  current = pool;
#endif
  for (i = 0; i < threads; i++) pthread_create(&pool->thread[i], NULL, work, pool);
  return pool;
}

int signal_pool_add(signal_pool *pool, signal_pool_job run, void *argument) {
  struct job *job = (struct job *)malloc(sizeof *job);
  if (!job) return -1;
  job->next = NULL;
  job->run = run;
  job->argument = argument;
  pthread_mutex_lock(&pool->lock);
  *pool->last = job;
  pool->last = &job->next;
  pthread_cond_signal(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
  return 0;
}

void signal_pool_interrupt(signal_pool *pool) {
  int i;
  for (i = 0; i < pool->threads; i++) {
    pthread_kill(pool->thread[i], SIGUSR1);
#ifndef BUG
    pthread_mutex_lock(&pool->lock);
    pool->asked++;
    pthread_mutex_unlock(&pool->lock);
#endif
  }
}

int signal_pool_free(signal_pool *pool) {
  int i, asked;
  pthread_mutex_lock(&pool->lock);
  pool->stopping = 1;
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
  for (i = 0; i < pool->threads; i++) pthread_join(pool->thread[i], NULL);
  asked = pool->asked;
  pthread_cond_destroy(&pool->changed);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
  return asked;
}
