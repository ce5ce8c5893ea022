/* Loops whose rounds write; the argument chooses. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static atomic_int flag, done;
static int rounds;

static int locked(void) {
  pthread_mutex_lock(&lock);
  int isDone = done;
  pthread_mutex_unlock(&lock);
  return isDone;
}

/* Takes and gives back for ever; nobody is left to change anything. */
static void *lonely(void *unused) {
  while (!locked());
  return unused;
}

/* The same, with a loop inside that begins anew in every round. */
static void *nested(void *unused) {
  while (!done)
    for (int i = 0; i < 3; i++) {
      flag = i;
      flag = 0;
    }
  return unused;
}

/* Round 3 of 4 is like round 1, but for what only the thread itself knows. */
static void *counting(void *unused) {
  for (int i = 0; i < 600; i++) {
    flag = 1;
    flag = 0;
  }
  return unused;
}

static void *counted_in_memory(void *unused) {
  int *count = malloc(sizeof *count);
  for (*count = 0; *count < 600; ++*count) {
    flag = 1;
    flag = 0;
  }
  free(count);
  return unused;
}

static void *printing(void *unused) {
  while (rounds < 600) {
    rounds++;
    flag = 1;
    flag = 0;
  }
  return unused;
}

static void *waits(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&never, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

/* Gets the lock as soon as the other one gives it back. */
static void *finishes(void *unused) {
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *(*const pairs[][2])(void *) = {
    {lonely, 0}, {nested, 0}, {counting, 0}, {counted_in_memory, 0}, {printing, 0}, {lonely, waits}, {lonely, finishes},
};

int main(int argc, char **argv) {
  int chosen = argc > 1 ? atoi(argv[1]) : 0;
  pthread_t a, b;
  pthread_create(&a, 0, pairs[chosen][0], 0);
  if (pairs[chosen][1]) {
    pthread_create(&b, 0, pairs[chosen][1], 0);
    pthread_join(b, 0);
  }
  pthread_join(a, 0);
}
