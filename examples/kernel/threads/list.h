/* Threads in a row, linked through the thread itself: one is in at most one list. */
#ifndef LIST_H
#define LIST_H

struct thread;

struct list {
  struct thread *first;
};

void list_init(struct list *list);
int list_is_empty(const struct list *list);
void list_append(struct list *list, struct thread *thread);
/* Takes out the one of the highest priority that came first; there must be one. */
struct thread *list_take_highest(struct list *list);

#endif
