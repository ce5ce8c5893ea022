/* Loops that wait, and loops that only look like it; CASE chooses. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "case.h"

static volatile int flag, data;
static atomic_int lock, ready;
static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[8];

static void *worker(void *argument) {
  if (CASE == 1) {
    data = 42;
    flag = 1;
  } else if (CASE == 2 || CASE == 9) {
    while (atomic_exchange(&lock, 1)) sched_yield();
    counter++;
    atomic_store(&lock, 0);
  } else if (CASE == 4) {
    data = 1;
    data = 2;
  } else if (CASE == 5) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
  } else if (CASE == 6 || CASE == 12) {
    strcpy(text, "x");
  } else if (CASE == 7) {
    int expected = 0;
    while (!atomic_compare_exchange_weak(&lock, &expected, 1)) expected = 0;
    counter++;
    atomic_store(&lock, 0);
  } else if (CASE == 8) {
    flag = 1;
    data = 1;
  } else if (CASE == 10) {
    flag = 1;
  } else if (CASE == 14) {
    data = 1;
    flag = 1;
  }
  return argument;
}

int main(int argc, char **argv) {
  choose_case(argc, argv);
  pthread_t threads[2];
  int workers = CASE == 2 || CASE == 7 || CASE == 9 ? 2 : 1;
  for (int i = 0; i < workers; i++) pthread_create(&threads[i], 0, worker, 0);
  if (CASE == 1) { /* a flag */
    while (!flag) {}
    assert(data == 42);
  } else if (CASE == 3) { /* nobody sets it */
    while (!flag) {} /* never set */
  } else if (CASE == 4) { /* counts its tries: goes on by itself */
    int tries = 0;
    while (data == 0 && tries < 3) tries++;
    assert(tries <= 3);
  } else if (CASE == 5) { /* tries a mutex */
    while (pthread_mutex_trylock(&mutex) != 0) usleep(10);
    counter++;
    pthread_mutex_unlock(&mutex);
  } else if (CASE == 6) { /* a library function reads what nobody logs */
    while (strspn(text, "x") == 0) sched_yield();
  } else if (CASE == 12) { /* a library function whose reads are logged */
    while (strlen(text) == 0) sched_yield();
  } else if (CASE == 8) { /* two flags, read one after the other */
    while (!flag || !data) {}
  } else if (CASE == 10) { /* a library function that keeps a state of its own makes the loop go on */
    int n = 0;
    while (rand() % 4 != 3) n++;
    while (!flag) {}
  } else if (CASE == 13) { /* counts its tries, and nobody else does anything */
    int left = 5;
    while (!flag && left > 0) left--;
  } else if (CASE == 14) { /* both are read in every round */
    while (data + flag < 2) {}
  } else if (CASE == 11) { /* counts down in a function without accesses */
    for (int i = 0; i < 1000; i++) {}
  }
  for (int i = 0; i < workers; i++) pthread_join(threads[i], 0);
  if (CASE == 2 || CASE == 7 || CASE == 9) {
    assert(counter == 2);
  } else if (CASE == 5) {
    assert(counter == 2);
  }
  return 0;
}
