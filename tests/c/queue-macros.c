// The lists of <sys/queue.h>, each with what it was made for.
#include <assert.h>
#include <stddef.h>
#include <sys/queue.h>
struct n { int v; SLIST_ENTRY(n) s; LIST_ENTRY(n) l; STAILQ_ENTRY(n) q; TAILQ_ENTRY(n) t; };
SLIST_HEAD(sh, n); LIST_HEAD(lh, n); STAILQ_HEAD(qh, n); TAILQ_HEAD(th, n);
static struct n a = {1}, b = {2}, c = {3}, d = {4};
#define SUM(KIND, head, field) ({ int r = 0; struct n *p; KIND##_FOREACH(p, head, field) r = r * 10 + p->v; r; })
int main(void) {
  struct sh s = SLIST_HEAD_INITIALIZER(s);
  SLIST_INSERT_HEAD(&s, &c, s); SLIST_INSERT_HEAD(&s, &a, s); SLIST_INSERT_AFTER(&a, &b, s);
  assert(SUM(SLIST, &s, s) == 123);
  SLIST_REMOVE(&s, &c, n, s); SLIST_REMOVE_HEAD(&s, s);
  assert(SUM(SLIST, &s, s) == 2);
  struct lh l; LIST_INIT(&l);
  LIST_INSERT_HEAD(&l, &c, l); LIST_INSERT_BEFORE(&c, &a, l); LIST_INSERT_AFTER(&a, &b, l);
  assert(SUM(LIST, &l, l) == 123);
  LIST_REMOVE(&b, l); assert(SUM(LIST, &l, l) == 13); LIST_REMOVE(&a, l); LIST_REMOVE(&c, l); assert(LIST_EMPTY(&l));
  struct qh q = STAILQ_HEAD_INITIALIZER(q);
  STAILQ_INSERT_TAIL(&q, &b, q); STAILQ_INSERT_TAIL(&q, &c, q); STAILQ_INSERT_HEAD(&q, &a, q);
  assert(SUM(STAILQ, &q, q) == 123);
  STAILQ_REMOVE_HEAD(&q, q); STAILQ_REMOVE_HEAD(&q, q); STAILQ_REMOVE_HEAD(&q, q); assert(STAILQ_EMPTY(&q));
  STAILQ_INSERT_TAIL(&q, &d, q); assert(SUM(STAILQ, &q, q) == 4);
  struct th t = TAILQ_HEAD_INITIALIZER(t);
  TAILQ_INSERT_TAIL(&t, &b, t); TAILQ_INSERT_HEAD(&t, &a, t); TAILQ_INSERT_AFTER(&t, &b, &d, t); TAILQ_INSERT_BEFORE(&d, &c, t);
  assert(SUM(TAILQ, &t, t) == 1234);
  int r = 0; struct n *p; TAILQ_FOREACH_REVERSE(p, &t, th, t) r = r * 10 + p->v;
  assert(r == 4321 && TAILQ_LAST(&t, th) == &d && TAILQ_PREV(&b, th, t) == &a);
  TAILQ_REMOVE(&t, &d, t); TAILQ_REMOVE(&t, &b, t); assert(SUM(TAILQ, &t, t) == 13 && TAILQ_LAST(&t, th) == &c);
  TAILQ_REMOVE(&t, &a, t); TAILQ_REMOVE(&t, &c, t); assert(TAILQ_EMPTY(&t)); TAILQ_INSERT_TAIL(&t, &a, t); assert(SUM(TAILQ, &t, t) == 1);
  return 0;
}
