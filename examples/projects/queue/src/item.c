#include "item.h"

#include <stdlib.h>

item *item_new(int number) {
  item *it = malloc(sizeof *it);
  it->number = number;
  it->next = NULL;
  return it;
}

int item_finish(item *it) {
  int number = it->number;
  free(it);
  return number;
}
