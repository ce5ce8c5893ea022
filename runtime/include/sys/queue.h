#ifndef _FAULTLINE_SYS_QUEUE_H
#define _FAULTLINE_SYS_QUEUE_H

/* The lists of BSD and glibc, as queue(3) documents them. Programs include this header for granted. */

/* Singly linked: SLIST. */
#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) {0}
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_EMPTY(head) (SLIST_FIRST(head) == 0)
#define SLIST_NEXT(elm, field) ((elm)->field.sle_next)
#define SLIST_INIT(head) ((void)(SLIST_FIRST(head) = 0))
#define SLIST_FOREACH(var, head, field) for ((var) = SLIST_FIRST(head); (var); (var) = SLIST_NEXT(var, field))
#define SLIST_INSERT_HEAD(head, elm, field) \
  do { \
    SLIST_NEXT(elm, field) = SLIST_FIRST(head); \
    SLIST_FIRST(head) = (elm); \
  } while (0)
#define SLIST_INSERT_AFTER(at, elm, field) \
  do { \
    SLIST_NEXT(elm, field) = SLIST_NEXT(at, field); \
    SLIST_NEXT(at, field) = (elm); \
  } while (0)
#define SLIST_REMOVE_HEAD(head, field) ((void)(SLIST_FIRST(head) = SLIST_NEXT(SLIST_FIRST(head), field)))
#define SLIST_REMOVE(head, elm, type, field) \
  do { \
    struct type **fl_at = &SLIST_FIRST(head); \
    while (*fl_at != (elm)) \
      fl_at = &SLIST_NEXT(*fl_at, field); \
    *fl_at = SLIST_NEXT(elm, field); \
  } while (0)

/* Doubly linked: LIST. An entry knows the pointer that points to it. */
#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) {0}
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_EMPTY(head) (LIST_FIRST(head) == 0)
#define LIST_NEXT(elm, field) ((elm)->field.le_next)
#define LIST_INIT(head) ((void)(LIST_FIRST(head) = 0))
#define LIST_FOREACH(var, head, field) for ((var) = LIST_FIRST(head); (var); (var) = LIST_NEXT(var, field))
#define FL_LIST_INSERT(place, elm, field) \
  do { \
    if ((LIST_NEXT(elm, field) = *(place)) != 0) \
      LIST_NEXT(elm, field)->field.le_prev = &LIST_NEXT(elm, field); \
    (elm)->field.le_prev = (place); \
    *(place) = (elm); \
  } while (0)
#define LIST_INSERT_HEAD(head, elm, field) FL_LIST_INSERT(&LIST_FIRST(head), elm, field)
#define LIST_INSERT_AFTER(at, elm, field) FL_LIST_INSERT(&LIST_NEXT(at, field), elm, field)
#define LIST_INSERT_BEFORE(at, elm, field) \
  do { \
    (elm)->field.le_prev = (at)->field.le_prev; \
    LIST_NEXT(elm, field) = (at); \
    *(at)->field.le_prev = (elm); \
    (at)->field.le_prev = &LIST_NEXT(elm, field); \
  } while (0)
#define LIST_REMOVE(elm, field) \
  do { \
    if (LIST_NEXT(elm, field) != 0) \
      LIST_NEXT(elm, field)->field.le_prev = (elm)->field.le_prev; \
    *(elm)->field.le_prev = LIST_NEXT(elm, field); \
  } while (0)

/* Singly linked, with an end to add to: STAILQ, and SIMPLEQ, which is the same. */
#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) {0, &(head).stqh_first}
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_EMPTY(head) (STAILQ_FIRST(head) == 0)
#define STAILQ_NEXT(elm, field) ((elm)->field.stqe_next)
#define STAILQ_INIT(head) \
  do { \
    STAILQ_FIRST(head) = 0; \
    (head)->stqh_last = &STAILQ_FIRST(head); \
  } while (0)
#define STAILQ_FOREACH(var, head, field) for ((var) = STAILQ_FIRST(head); (var); (var) = STAILQ_NEXT(var, field))
#define STAILQ_INSERT_HEAD(head, elm, field) \
  do { \
    if ((STAILQ_NEXT(elm, field) = STAILQ_FIRST(head)) == 0) \
      (head)->stqh_last = &STAILQ_NEXT(elm, field); \
    STAILQ_FIRST(head) = (elm); \
  } while (0)
#define STAILQ_INSERT_TAIL(head, elm, field) \
  do { \
    STAILQ_NEXT(elm, field) = 0; \
    *(head)->stqh_last = (elm); \
    (head)->stqh_last = &STAILQ_NEXT(elm, field); \
  } while (0)
#define STAILQ_REMOVE_HEAD(head, field) \
  do { \
    if ((STAILQ_FIRST(head) = STAILQ_NEXT(STAILQ_FIRST(head), field)) == 0) \
      (head)->stqh_last = &STAILQ_FIRST(head); \
  } while (0)
#define SIMPLEQ_HEAD STAILQ_HEAD
#define SIMPLEQ_HEAD_INITIALIZER STAILQ_HEAD_INITIALIZER
#define SIMPLEQ_ENTRY STAILQ_ENTRY
#define SIMPLEQ_FIRST STAILQ_FIRST
#define SIMPLEQ_EMPTY STAILQ_EMPTY
#define SIMPLEQ_NEXT STAILQ_NEXT
#define SIMPLEQ_INIT STAILQ_INIT
#define SIMPLEQ_FOREACH STAILQ_FOREACH
#define SIMPLEQ_INSERT_HEAD STAILQ_INSERT_HEAD
#define SIMPLEQ_INSERT_TAIL STAILQ_INSERT_TAIL
#define SIMPLEQ_REMOVE_HEAD STAILQ_REMOVE_HEAD

/* Doubly linked, with an end to add to: TAILQ. */
#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) {0, &(head).tqh_first}
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_EMPTY(head) (TAILQ_FIRST(head) == 0)
#define TAILQ_NEXT(elm, field) ((elm)->field.tqe_next)
/* What points to an entry is the first member of its predecessor's pair of pointers; the second leads further back. */
#define TAILQ_LAST(head, name) (*(((struct name *)((head)->tqh_last))->tqh_last))
#define TAILQ_PREV(elm, name, field) (*(((struct name *)((elm)->field.tqe_prev))->tqh_last))
#define TAILQ_INIT(head) \
  do { \
    TAILQ_FIRST(head) = 0; \
    (head)->tqh_last = &TAILQ_FIRST(head); \
  } while (0)
#define TAILQ_FOREACH(var, head, field) for ((var) = TAILQ_FIRST(head); (var); (var) = TAILQ_NEXT(var, field))
#define TAILQ_FOREACH_REVERSE(var, head, name, field) \
  for ((var) = TAILQ_LAST(head, name); (var); (var) = TAILQ_PREV(var, name, field))
#define FL_TAILQ_BACK(head, elm, field) \
  (*(TAILQ_NEXT(elm, field) ? &TAILQ_NEXT(elm, field)->field.tqe_prev : &(head)->tqh_last))
#define TAILQ_INSERT_HEAD(head, elm, field) \
  do { \
    TAILQ_NEXT(elm, field) = TAILQ_FIRST(head); \
    FL_TAILQ_BACK(head, elm, field) = &TAILQ_NEXT(elm, field); \
    TAILQ_FIRST(head) = (elm); \
    (elm)->field.tqe_prev = &TAILQ_FIRST(head); \
  } while (0)
#define TAILQ_INSERT_TAIL(head, elm, field) \
  do { \
    TAILQ_NEXT(elm, field) = 0; \
    (elm)->field.tqe_prev = (head)->tqh_last; \
    *(head)->tqh_last = (elm); \
    (head)->tqh_last = &TAILQ_NEXT(elm, field); \
  } while (0)
#define TAILQ_INSERT_AFTER(head, at, elm, field) \
  do { \
    TAILQ_NEXT(elm, field) = TAILQ_NEXT(at, field); \
    FL_TAILQ_BACK(head, elm, field) = &TAILQ_NEXT(elm, field); \
    TAILQ_NEXT(at, field) = (elm); \
    (elm)->field.tqe_prev = &TAILQ_NEXT(at, field); \
  } while (0)
#define TAILQ_INSERT_BEFORE(at, elm, field) \
  do { \
    (elm)->field.tqe_prev = (at)->field.tqe_prev; \
    TAILQ_NEXT(elm, field) = (at); \
    *(at)->field.tqe_prev = (elm); \
    (at)->field.tqe_prev = &TAILQ_NEXT(elm, field); \
  } while (0)
#define TAILQ_REMOVE(head, elm, field) \
  do { \
    FL_TAILQ_BACK(head, elm, field) = (elm)->field.tqe_prev; \
    *(elm)->field.tqe_prev = TAILQ_NEXT(elm, field); \
  } while (0)

#endif
