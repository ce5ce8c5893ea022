/* Arguments, environment, standard streams. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char line[100];
  for (int i = 1; i < argc; i++) printf("argument %s\n", argv[i]);
  const char *value = getenv("COLOUR");
  printf("environment %s\n", value ? value : "none");
  while (fgets(line, sizeof line, stdin)) printf("input %s", line);
  fprintf(stderr, "error\n");
  printf("no newline");
  return strcmp(argv[0], "prog") == 0 ? 0 : 1;
}
