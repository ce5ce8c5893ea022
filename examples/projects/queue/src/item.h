#ifndef ITEM_H
#define ITEM_H

/** What goes through the queue. */
typedef struct item {
  int number;
  struct item *next;
} item;

item *item_new(int number);
int item_finish(item *);

#endif
