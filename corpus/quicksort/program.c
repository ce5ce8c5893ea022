/* Quicksort by two threads: the half that is handed over is counted as done before it is sorted. */
#include <assert.h>
#include <pthread.h>
static int data[4] = {3, 1, 2, 0};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting = -1, open = 1;

static int split(int low, int high) {
  int pivot = data[high], at = low;
  for (int i = low; i < high; i++) {
    if (data[i] >= pivot) continue;
    int kept = data[i];
    data[i] = data[at];
    data[at++] = kept;
  }
  data[high] = data[at];
  data[at] = pivot;
  return at;
}

static void sort(int low, int high) {
  if (low >= high) return;
  int at = split(low, high);
  sort(low, at - 1);
  sort(at + 1, high);
}

static void *help(void *unused) {
  pthread_mutex_lock(&lock);
  while (waiting < 0) pthread_cond_wait(&changed, &lock);
  int low = waiting;
#ifdef BUG
  open--; // cause
  pthread_cond_signal(&changed);
#endif
  pthread_mutex_unlock(&lock);
  sort(low, 3);
#ifndef BUG
  pthread_mutex_lock(&lock);
  open--;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t helper;
  pthread_create(&helper, 0, help, 0);
  data[0] = 1, data[1] = 0, data[2] = 3, data[3] = 2;
  pthread_mutex_lock(&lock);
  waiting = 2;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  sort(0, 1);
  pthread_mutex_lock(&lock);
  while (open > 0) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 4; i++) assert(data[i] == i);
  pthread_join(helper, 0);
}
