/*
 * Copies of more than a word that another thread comes between, told by argument which. What the threads saw is printed
 * at the end; the texts are of two words each.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  long long first, second;
} pair;

static pair shared, other;
static const pair ones = {1, 1}, twos = {2, 2};
static _Alignas(8) char text[24] = "aaaaaaaaaaaaaaa";
static _Alignas(8) char room[32];
static _Alignas(8) const char bbb[16] = "bbbbbbbbbbbbbbb";
static _Alignas(8) const char shorter[16] = "bbbb";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int number;
static long long seen = -1, more = -1;

static void *change(void *unused) {
  (void)unused;
  switch (number) {
  case 1:
  case 3:
  case 9:
    shared = ones;
    break;
  case 2:
    pthread_mutex_lock(&m);
    shared = ones;
    pthread_mutex_unlock(&m);
    break;
  case 4:
    memmove(text + 8, text, 15);
    break;
  case 5:
  case 6:
  case 7:
  case 10:
    memcpy(text, bbb, 16);
    break;
  case 8:
    strcpy(text, shorter);
    break;
  case 11:
    other = ones;
    break;
  case 12:
    memset(text, 'b', 15);
    break;
  }
  return 0;
}

static void look(void) {
  pair p;
  switch (number) {
  case 1:
    p = shared;
    seen = p.first, more = p.second;
    break;
  case 2:
    pthread_mutex_lock(&m);
    p = shared;
    pthread_mutex_unlock(&m);
    seen = p.first, more = p.second;
    break;
  case 3:
    shared = twos;
    break;
  case 4:
    seen = text[8], more = text[20];
    break;
  case 5:
    seen = strcmp(text, bbb) != 0, more = 0;
    break;
  case 6:
    seen = memcmp(text, bbb, 16) != 0;
    break;
  case 7:
    strcpy(room, text);
    seen = room[0], more = room[14];
    break;
  case 8:
    seen = strlen(text);
    break;
  case 9:
    memset(&shared, 0xff, sizeof shared);
    break;
  case 10:
    seen = strchr(text, 'b') != 0, more = strrchr(text, 'a') != 0;
    break;
  case 11:
    shared = twos;
    break;
  case 12: {
    char *copy = strdup(text);
    seen = copy[0], more = copy[14];
    free(copy);
    break;
  }
  }
}

int main(int count, char **arguments) {
  pthread_t thread;
  assert(count == 2);
  number = atoi(arguments[1]);
  pthread_create(&thread, 0, change, 0);
  look();
  pthread_join(thread, 0);
  printf("%lld %lld %lld %lld %d %d", seen, more, shared.first, shared.second, text[0], text[20]);
  if (number == 1 || number == 2) assert(seen == more);
  return 0;
}
