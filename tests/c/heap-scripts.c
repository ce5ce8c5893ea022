/*
 * Threads that allocate, free and use shared blocks as their arguments say, one letter per step: a, b, c allocate
 * block 0, 1, 2 (c a larger one); A, B, C free it; x, y, z write to it; u reads block 0 and prints what it finds.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *blocks[3];

/* The script is packed into the argument, five bits a step, so that reading it is nobody's business. */
static const char steps[] = "abcABCxyzu";

static void *run(void *argument) {
  for (unsigned long code = (unsigned long)argument; code; code >>= 5) {
    int step = (int)(code & 31) - 1;
    if (step < 3) {
      int *block = malloc(step == 2 ? 40 : 8);
      blocks[step] = block;
    } else if (step < 6) {
      int *block = blocks[step - 3];
      if (block) free(block);
    } else if (step < 9) {
      int *block = blocks[step - 6];
      if (block) *block = step;
    } else {
      int *block = blocks[0];
      if (block) printf("%d ", *block);
    }
  }
  return 0;
}

static unsigned long pack(const char *text) {
  return *text ? (unsigned long)(strchr(steps, *text) - steps + 1) | pack(text + 1) << 5 : 0;
}

int main(int argc, char **argv) {
  pthread_t one, two;
  unsigned long first = pack(argv[1]), second = pack(argv[2]);
  (void)argc;
  blocks[0] = malloc(8);
  pthread_create(&one, 0, run, (void *)first);
  pthread_create(&two, 0, run, (void *)second);
  pthread_join(one, 0);
  pthread_join(two, 0);
  printf("%p %p %p", (void *)blocks[0], (void *)blocks[1], (void *)blocks[2]);
  return 0;
}
