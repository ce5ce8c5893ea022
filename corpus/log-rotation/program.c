/* A log that is closed for a moment: what comes then is lost. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
enum { LOG_OPENED, LOG_CLOSED };
static int log_type = LOG_OPENED;
static char entries[4][16]; static int n_entries, n_done;
static pthread_mutex_t LOCK_log = PTHREAD_MUTEX_INITIALIZER;
static void new_file(void) {
#ifndef BUG
  pthread_mutex_lock(&LOCK_log);
#endif
  log_type = LOG_CLOSED;
  log_type = LOG_OPENED;
#ifndef BUG
  pthread_mutex_unlock(&LOCK_log);
#endif
}
static void mysql_insert(const char *q) {
#ifndef BUG
  pthread_mutex_lock(&LOCK_log);
#endif
  if (log_type != LOG_CLOSED) { strcpy(entries[n_entries], q); n_entries++; }
  n_done++;
#ifndef BUG
  pthread_mutex_unlock(&LOCK_log);
#endif
}
static void *flusher(void *a) { new_file(); return 0; }
static void *client(void *a) { mysql_insert("INSERT 1"); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, flusher, 0); pthread_create(&b, 0, client, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(n_entries == n_done);
}
