/* Two writers append to one buffer. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <stdlib.h>
#define LOG_BUFSIZE 16
typedef struct { char outbuf[LOG_BUFSIZE]; int outcnt; pthread_mutex_t m; } buffered_log;
static buffered_log *buf;
static void ap_buffered_log_writer(const char *s, int len) {
#ifndef BUG
  pthread_mutex_lock(&buf->m);
#endif
  char *p = &buf->outbuf[buf->outcnt];
  for (int i = 0; i < len; i++) p[i] = s[i];
  buf->outcnt += len;
#ifndef BUG
  pthread_mutex_unlock(&buf->m);
#endif
}
static void *worker(void *line) { ap_buffered_log_writer(line, 3); return 0; }
int main(void) {
  buf = calloc(1, sizeof *buf);
  pthread_mutex_init(&buf->m, 0);
  pthread_t a, b;
  pthread_create(&a, 0, worker, "abc"); pthread_create(&b, 0, worker, "xyz");
  pthread_join(a, 0); pthread_join(b, 0);
  assert(buf->outcnt == 6);
  assert(!memcmp(buf->outbuf, "abcxyz", 6) || !memcmp(buf->outbuf, "xyzabc", 6));
  free(buf);
}
