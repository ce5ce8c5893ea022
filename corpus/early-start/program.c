/* A thread uses what its creator sets up only after creating it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
typedef struct { int state; int id; } PRThread;
static PRThread *mThread;
static pthread_mutex_t mon = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static void *mMain(void *arg) {
#ifndef BUG
  pthread_mutex_lock(&mon);
  while (!mThread) pthread_cond_wait(&ready, &mon);
  pthread_mutex_unlock(&mon);
#endif
  int mState = mThread->state;
  assert(mState == 7);
  return 0;
}
static PRThread *PR_CreateThread(pthread_t *t) {
  pthread_create(t, 0, mMain, 0);
  PRThread *p = malloc(sizeof *p);
  p->state = 7;
  return p;
}
int main(void) {
  pthread_t t;
  PRThread *p = PR_CreateThread(&t);
  pthread_mutex_lock(&mon);
  mThread = p;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&mon);
  pthread_join(t, 0);
  free(p);
}
