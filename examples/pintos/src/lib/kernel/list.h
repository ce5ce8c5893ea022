/* Doubly linked lists of elements that lie in what is linked. */
#ifndef LIB_KERNEL_LIST_H
#define LIB_KERNEL_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list_elem {
  struct list_elem *prev, *next;
};

/* A ring, in which the list itself is the element before the first and after the last. */
struct list {
  struct list_elem ring;
};

#define list_entry(ELEM, STRUCT, MEMBER) ((STRUCT *)((char *)(ELEM) - offsetof(STRUCT, MEMBER)))

void list_init(struct list *list);
bool list_empty(struct list *list);
struct list_elem *list_begin(struct list *list);
struct list_elem *list_end(struct list *list);
struct list_elem *list_next(struct list_elem *elem);
void list_push_back(struct list *list, struct list_elem *elem);
/* Returns the element after it. */
struct list_elem *list_remove(struct list_elem *elem);

#endif
