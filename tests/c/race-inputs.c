/* Races whose class takes an input. The case is chosen by the number of arguments. */
#include <faultline.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

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
    default:
      INPUT(a);
      both(publish, await);
  }
  return 0;
}
