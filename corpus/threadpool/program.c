/* Shutdown uses signal for several workers. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
typedef struct task { void (*fn)(void *); void *arg; struct task *next; } task;
typedef struct { pthread_mutex_t m; pthread_cond_t c; task *head, **tail; int stop; pthread_t th[2]; } pool;
static void *run(void *a) {
  pool *p = a;
  for (;;) {
    pthread_mutex_lock(&p->m);
    while (!p->head && !p->stop) pthread_cond_wait(&p->c, &p->m);
    task *t = p->head;
    if (!t) { pthread_mutex_unlock(&p->m); return 0; }
    p->head = t->next; if (!p->head) p->tail = &p->head;
    pthread_mutex_unlock(&p->m);
    t->fn(t->arg); free(t);
  }
}
static void submit(pool *p, void (*fn)(void *), void *arg) {
  task *t = malloc(sizeof *t); t->fn = fn; t->arg = arg; t->next = 0;
  pthread_mutex_lock(&p->m);
  *p->tail = t; p->tail = &t->next;
  pthread_cond_signal(&p->c);
  pthread_mutex_unlock(&p->m);
}
static int total; static pthread_mutex_t tm = PTHREAD_MUTEX_INITIALIZER;
static void add(void *a) { pthread_mutex_lock(&tm); total += *(int *)a; pthread_mutex_unlock(&tm); }
int main(void) {
  pool p; p.head = 0; p.tail = &p.head; p.stop = 0;
  pthread_mutex_init(&p.m, 0); pthread_cond_init(&p.c, 0);
  for (int i = 0; i < 2; i++) pthread_create(&p.th[i], 0, run, &p);
  int one = 1, two = 2;
  submit(&p, add, &one); submit(&p, add, &two);
  pthread_mutex_lock(&p.m);
  p.stop = 1;
#ifdef BUG
  pthread_cond_signal(&p.c);
#else
  pthread_cond_broadcast(&p.c);
#endif
  pthread_mutex_unlock(&p.m);
  for (int i = 0; i < 2; i++) pthread_join(p.th[i], 0);
  assert(total == 3);
}
