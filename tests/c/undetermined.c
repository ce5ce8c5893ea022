/* SV-COMP's values, an argument, standard input, and the environment, with a bug for one of each. */
#include <faultline.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shared;
static void *increment(void *unused) {
  int seen = shared;
  shared = seen + 1;
  return unused;
}

int main(int argc, char **argv) {
  char word[5] = "";
  int isChosen = 0;
  const char *mode = getenv("MODE");
  if (mode) isChosen = strcmp(mode, "safe") == 0;
  else if (argc > 1) isChosen = strcmp(argv[1], "-x") == 0;
  else if (fgets(word, sizeof word, stdin)) isChosen = word[0] == 'a' && word[1] == 'b';
  else isChosen = __VERIFIER_nondet_int() == 77;
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (isChosen && shared != 2) reach_error();
  return 0;
}
