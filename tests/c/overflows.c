/* Accesses beside heap blocks; the argument chooses. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  int left, right, more[4];
};

int main(int argc, char **argv) {
  (void)argc;
  int *a = malloc(4 * sizeof *a);
  char *s = malloc(10);
  memset(s, 'x', 10);
  switch (atoi(argv[1])) {
  case 1: {
    a[4] = 1; /* here */
    break;
  }
  case 2: {
    int x = a[-1]; /* here */
    (void)x;
    break;
  }
  case 3: {
    int x = a[6]; /* here */
    (void)x;
    break;
  }
  case 4: {
    *(short *)(s + 9) = 1; /* here */
    break;
  }
  case 5: {
    strcpy(s, "exactly 10"); /* here */
    break;
  }
  case 6: {
    size_t n = strlen(s); /* here */
    (void)n;
    break;
  }
  case 7: {
    memcpy(s, "0123456789ab", 12); /* here */
    break;
  }
  case 8: {
    char to[20];
    memcpy(to, s, 12); /* here */
    break;
  }
  case 9: {
    memset(s, 0, 11); /* here */
    break;
  }
  case 10: {
    struct pair *p = malloc(8);
    struct pair q = {1, 2, {0}};
    *p = q; /* here */
    break;
  }
  case 11: {
    atomic_fetch_add((_Atomic int *)(a + 4), 1); /* here */
    break;
  }
  case 12: {
    pthread_mutex_t *m = (pthread_mutex_t *)(a + 4);
    pthread_mutex_init(m, 0); /* here */
    break;
  }
  case 13: {
    char *p = calloc(2, 3);
    p[6] = 1; /* here */
    break;
  }
  case 14: {
    a = realloc(a, 8);
    a[2] = 1; /* here */
    break;
  }
  case 15: {
    char *p = aligned_alloc(64, 64);
    p[64] = 1; /* here */
    break;
  }
  case 16: {
    char *p = strdup("abc");
    p[4] = 1; /* here */
    break;
  }
  case 17: {
    char *p = malloc(0);
    *p = 1; /* here */
    break;
  }
  case 18: {
    a[1 << 14] = 1; /* here */
    break;
  }
  case 19: {
    sprintf(s, "%d", 1234567890); /* here */
    break;
  }
  case 20: {
    char *p = malloc(40);
    memset(p, 0, 40);
    memmove(a, p, 20); /* here */
    break;
  }
  case 21: { /* the memory is given to another block before the access is looked at */
    a[12] = 1; /* here */
    int *b = malloc(200);
    b[0] = 1;
    break;
  }
  case 22: { /* all right, up to the edges */
    a[0] = a[3] = 1;
    strcpy(s, "exactly 9");
    memset(s, 0, 10);
    struct pair *p = malloc(sizeof *p);
    struct pair q = {1, 2, {0}};
    *p = q;
    snprintf(s, 10, "%d", 1234567890);
    strncpy(s, "longer than that", 10);
    char *end = aligned_alloc(64, 128);
    end[127] = 1;
    char *z = calloc(3, 5);
    z[14] = 1;
    break;
  }
  }
  return 0;
}
