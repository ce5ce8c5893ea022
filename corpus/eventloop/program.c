/* Timer callback fires after the connection was closed. */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct conn { int fd; int timer_armed; };
struct event { void (*cb)(struct conn *); struct conn *c; struct event *next; };
static struct event *q; static int quit; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static void post(void (*cb)(struct conn *), struct conn *c) {
  struct event *e = malloc(sizeof *e); e->cb = cb; e->c = c;
  pthread_mutex_lock(&m); e->next = 0;
  struct event **p = &q; while (*p) p = &(*p)->next; *p = e;
  pthread_cond_signal(&cv); pthread_mutex_unlock(&m);
}
static void on_timer(struct conn *c) { if (c->timer_armed) c->timer_armed = 0; }
static void on_close(struct conn *c) { c->fd = -1; free(c); }
static void on_quit(struct conn *c) { quit = 1; }
static void *loop(void *a) {
  while (!quit) {
    pthread_mutex_lock(&m);
    while (!q) pthread_cond_wait(&cv, &m);
    struct event *e = q; q = e->next;
    pthread_mutex_unlock(&m);
    e->cb(e->c); free(e);
  }
  return 0;
}
static void *timer(void *c) { post(on_timer, c); return 0; }
int main(void) {
  struct conn *c = malloc(sizeof *c); c->fd = 3; c->timer_armed = 1;
  pthread_t l, t;
  pthread_create(&l, 0, loop, 0); pthread_create(&t, 0, timer, c);
#ifdef BUG
  post(on_close, c);
  pthread_join(t, 0);
#else
  pthread_join(t, 0);
  post(on_close, c);
#endif
  post(on_quit, 0);
  pthread_join(l, 0);
}
