/* Freed memory that is given out again. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"

struct node {
  int value;
  struct node *next;
};

static int *x;
static int *y;
static struct node *_Atomic top;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *pop(void) {
  struct node *first = atomic_load(&top);
  while (first && !atomic_compare_exchange_strong(&top, &first, first->next)) {}
  return first;
}

static void push(struct node *node) {
  node->next = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &node->next, node)) {}
}

/* 2: figure 5 of the Quicksand paper: the address is reused, but it is not the same block */
static void *lock_and_free(void *argument) {
  (void)argument;
  pthread_mutex_lock(&lock);
  *x = 1;
  free(x);
  pthread_mutex_unlock(&lock);
  return 0;
}
static void *compare(void *argument) {
  (void)argument;
  int *mine = malloc(sizeof *mine);
  printf("%s", mine == x ? "same" : "other");
  *mine = 2;
  free(mine);
  return 0;
}

/* 3: one address, two nodes: the head is what it was, but not what comes after */
static void *pop_one(void *argument) {
  (void)argument;
  return pop();
}
static void *pop_two(void *argument) {
  (void)argument;
  struct node *a = pop();
  struct node *b = pop();
  if (!a || !b) return 0;
  free(a);
  struct node *again = malloc(sizeof *again);
  again->value = 3;
  push(again);
  return b;
}

/* 4: a stale pointer: too early it is a use after free, later it hits somebody else's block */
static void *write_late(void *argument) {
  (void)argument;
  *x = 1;
  return 0;
}
static void *replace(void *argument) {
  (void)argument;
  free(x);
  y = malloc(sizeof *y);
  *y = 2;
  return 0;
}

/* 1: one thread: what comes back, and with what in it */
static void look_at_blocks(void) {
  int *a = malloc(40), *b = malloc(40);
  char *c = malloc(100);
  a[0] = 5;
  b[0] = 6;
  free(a);
  free(b);
  int *again = malloc(36);
  assert(again == b && again[0] == 6);
  int *zeroed = calloc(10, 4);
  assert(zeroed == a && zeroed[0] == 0);
  assert(malloc(40) != a);
  free(c);
  assert(malloc(20) != c);
  char *same = malloc(97);
  assert(same == c);
  strcpy(same, "text");
  char *other = realloc(same, 200);
  assert(other != same && strcmp(other, "text") == 0);
  assert(malloc(100) == same);
  free(aligned_alloc(256, 64));
  assert((unsigned long)aligned_alloc(512, 64) % 512 == 0);
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  if (CASE == 1) {
    look_at_blocks();
    return 0;
  }
  pthread_t threads[2];
  x = malloc(sizeof *x);
  struct node *last = malloc(sizeof *last), *first = malloc(sizeof *first);
  first->next = last;
  last->next = 0;
  top = first;
  pthread_create(&threads[0], 0, CASE == 2 ? lock_and_free : CASE == 3 ? pop_one : write_late, 0);
  pthread_create(&threads[1], 0, CASE == 2 ? compare : CASE == 3 ? pop_two : replace, 0);
  pthread_join(threads[0], 0);
  void *removed;
  pthread_join(threads[1], &removed);
  if (CASE == 3) {
    for (struct node *n = top; removed && n; n = n->next) assert(n != removed);
  }
  if (CASE == 4) printf("%d", *y);
  return 0;
}
