/* A thread pool in C whose jobs can be asked by a signal to stop early. */
#ifndef SIGNAL_POOL_H
#define SIGNAL_POOL_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct signal_pool signal_pool;
typedef void (*signal_pool_job)(void *argument);

signal_pool *signal_pool_new(int threads);
int signal_pool_add(signal_pool *pool, signal_pool_job job, void *argument);
/* Whether the job that calls it was asked to stop. */
int signal_pool_interrupted(void);
/* Asks what each thread is doing to stop. */
void signal_pool_interrupt(signal_pool *pool);
/* Waits for all jobs, and frees the pool. Returns how many times a thread was asked to stop. */
int signal_pool_free(signal_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
