#include "list.h"

void list_init(struct list *list) { list->ring.prev = list->ring.next = &list->ring; }

bool list_empty(struct list *list) { return list->ring.next == &list->ring; }

struct list_elem *list_begin(struct list *list) { return list->ring.next; }

struct list_elem *list_end(struct list *list) { return &list->ring; }

struct list_elem *list_next(struct list_elem *elem) { return elem->next; }

void list_push_back(struct list *list, struct list_elem *elem) {
  struct list_elem *last = list->ring.prev;
  elem->prev = last;
  elem->next = &list->ring;
  last->next = elem;
  list->ring.prev = elem;
}

struct list_elem *list_remove(struct list_elem *elem) {
  elem->prev->next = elem->next;
  elem->next->prev = elem->prev;
  return elem->next;
}
