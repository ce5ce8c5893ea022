#include "list.h"

#include "kernel.h"

#include <stddef.h>

void list_init(struct list *list) { list->first = NULL; }

int list_is_empty(const struct list *list) { return list->first == NULL; }

void list_append(struct list *list, struct thread *thread) {
  struct thread **at = &list->first;
  while (*at != NULL) at = &(*at)->next;
  thread->next = NULL;
  *at = thread;
}

struct thread *list_take_highest(struct list *list) {
  struct thread **highest = &list->first;
  for (struct thread **at = &list->first; *at != NULL; at = &(*at)->next) {
#ifdef MISTAKE_last_of_equals_first
    if ((*at)->priority >= (*highest)->priority) highest = at;
#else
    if ((*at)->priority > (*highest)->priority) highest = at;
#endif
  }
  struct thread *thread = *highest;
  *highest = thread->next;
  return thread;
}
