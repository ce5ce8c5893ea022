/* Races whose class takes an input. The case is chosen by the number of arguments. */
#include <assert.h>
#include <faultline.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT(object) faultline_symbolic(&object, sizeof object, #object)

static int globalx;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void both(void *(*a)(void *), void *(*b)(void *)) {
  pthread_t first, second;
  pthread_create(&first, 0, a, 0);
  pthread_create(&second, 0, b, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}

/* 1: figure 6 of Portend+. */
#define MAX_SIZE 8
static int id = MAX_SIZE - 1;
static int *stats;
static char useHashTable = 1;
static int hashTable;
static void *handleRequest(void *unused) {
  pthread_mutex_lock(&lock);
  id++;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *updateStats(void *unused) {
  if (useHashTable) hashTable = id;
  else if (id < MAX_SIZE) stats[id] = 1;
  return unused;
}

/* 2: figure 8. */
static int i = 5;
static void *work0(void *unused) {
  globalx = 1;
  if (i >= 0) puts("10");
  return unused;
}
static void *work1(void *unused) {
  globalx = 2;
  return unused;
}

/* 3: two values that are equal by chance; no branch tells. */
static unsigned char a = 'x', b = 'x';
static void *writeA(void *unused) {
  globalx = a;
  return unused;
}
static void *writeB(void *unused) {
  globalx = b;
  return unused;
}

/* 4: two values that are always equal. */
static void *writeTwice(void *unused) {
  globalx = (a * 2) & 0x7f;
  return unused;
}
static void *writeSum(void *unused) {
  globalx = (a + a) & 0x7f;
  return unused;
}

/* 5: an option makes it matter. */
static unsigned mode = 1;

/* 6: a flag keeps the order. */
static int ready;
static void *publish(void *unused) {
  globalx = a;
  __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
  return unused;
}
static void *await(void *unused) {
  while (!__atomic_load_n(&ready, __ATOMIC_RELAXED));
  globalx++;
  return unused;
}

/* 7: an option, and a third thread that looks at the right time. */
static int stage;
static void *use(void *unused) {
  if (globalx == 2 && mode == 7) __atomic_store_n(&stage, 1, __ATOMIC_SEQ_CST);
  return unused;
}
static void *inspect(void *unused) {
  assert(__atomic_load_n(&stage, __ATOMIC_SEQ_CST) == 0);
  return unused;
}

/* 8: a count that is printed on demand. */
static void *count(void *unused) {
  globalx++;
  return unused;
}

/* 9: who is careful waits for the flag. */
static char careful = 1;
static void *look(void *unused) {
  if (careful) while (!__atomic_load_n(&ready, __ATOMIC_RELAXED));
  putchar('0' + (globalx & 3));
  return unused;
}

/* 10: one limit is what the other thread writes. */
static int limit = 100;
static void *divide(void *unused) {
  stage = 10 / (globalx - limit);
  return unused;
}

/* 11: what is printed depends on the input, and on no order. */
static void *writeOnes(void *unused) {
  globalx = 1;
  if (mode % 3 == 0) putchar('a');
  return unused;
}

/* 12: a word makes it matter. */
static char command[4] = "go";
static void *obey(void *unused) {
  int before = globalx;
  if (strcmp(command, "q!") == 0) assert(globalx == before);
  return unused;
}

int main(int argc, char **argv) {
  switch (argc - 1) {
    case 1:
      stats = calloc(MAX_SIZE, sizeof *stats);
      INPUT(useHashTable);
      both(handleRequest, updateStats);
      break;
    case 2:
      INPUT(i);
      both(work0, work1);
      break;
    case 3:
      INPUT(a);
      INPUT(b);
      both(writeA, writeB);
      putchar(globalx);
      break;
    case 4:
      INPUT(a);
      both(writeTwice, writeSum);
      putchar(globalx);
      break;
    case 5:
      INPUT(mode);
      both(work1, writeA);
      if (mode == 3) putchar(globalx + 'a');
      break;
    case 6:
      INPUT(a);
      both(publish, await);
      break;
    case 7: {
      INPUT(mode);
      pthread_t third;
      pthread_create(&third, 0, inspect, 0);
      both(work1, use);
      pthread_join(third, 0);
      break;
    }
    case 8:
      INPUT(mode);
      both(count, count);
      if (mode & 2) putchar('0' + globalx);
      break;
    case 9:
      INPUT(careful);
      a = 3;
      both(publish, look);
      break;
    case 10:
      INPUT(limit);
      both(work1, divide);
      break;
    case 11:
      INPUT(mode);
      both(writeOnes, writeOnes);
      break;
    default:
      INPUT(command);
      both(work1, obey);
  }
  return 0;
}
