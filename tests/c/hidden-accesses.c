/* What no hook of the compiler's announces; told by argument which. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef int eight __attribute__((vector_size(32)));

static _Alignas(4) char text[8] = "abc";
static int number, count = 2;
static unsigned char most = 2;
static float sum = 2;
static eight vector, other_vector = {1, 2, 3, 4, 5, 6, 7, 8};
static char rows[2][4] = {"a", "b"};

static size_t (*volatile length)(const char *) = strlen;
static int (*volatile compare)(const char *, const char *) = strcasecmp;
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile fill)(void *, int, size_t) = memset;

typedef int comparison(const void *, const void *);

static void *other(void *unused) {
  (void)unused;
  switch (number) {
  case 4:
    fill(text, 'x', 3);
    break;
  case 5:
    rows[1][0] = 'c';
    break;
  case 6:
    __atomic_fetch_max(&count, 7, __ATOMIC_SEQ_CST);
    break;
  case 7:
    __atomic_fetch_min(&most, 1, __ATOMIC_RELAXED);
    break;
  case 8:
    __atomic_fetch_add(&sum, 1.5f, __ATOMIC_ACQ_REL);
    break;
  case 9:
    vector = other_vector;
    break;
  case 10:
    other_vector[6] = 9;
    break;
  default:
    text[1] = 0;
  }
  return 0;
}

int main(int arguments, char **argument) {
  pthread_t thread;
  char own[8];
  eight own_vector;
  int seen = -1;
  assert(arguments == 2);
  number = atoi(argument[1]);
  pthread_create(&thread, 0, other, 0);
  switch (number) {
  case 1:
    seen = (int)length(text);
    break;
  case 2:
    seen = compare(text, "ABC");
    break;
  case 3:
    copy(own, text, 4);
    seen = own[1];
    break;
  case 4:
    seen = text[2];
    break;
  case 5:
    seen = bsearch("b", rows, 2, sizeof *rows, (comparison *)strcmp) != 0;
    break;
  case 6:
    seen = count;
    break;
  case 7:
    seen = __atomic_fetch_min(&most, 3, __ATOMIC_SEQ_CST);
    break;
  case 8:
    seen = (int)(__atomic_fetch_sub(&sum, 1.0f, __ATOMIC_SEQ_CST) * 2);
    break;
  case 9:
    seen = ((int *)&vector)[6];
    break;
  case 10:
    own_vector = other_vector;
    seen = own_vector[6];
    break;
  case 11:
    __atomic_fetch_max(&sum, __builtin_nanf(""), __ATOMIC_SEQ_CST);
    __atomic_fetch_min(&sum, __builtin_nanf(""), __ATOMIC_SEQ_CST);
    seen = sum == 2;
    sum = __builtin_nanf("");
    seen += __atomic_min_fetch(&sum, 7.0f, __ATOMIC_SEQ_CST) == 7;
    break;
  }
  pthread_join(thread, 0);
  printf("%d", seen);
  return 0;
}
