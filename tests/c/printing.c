/* Threads that print what they found, into a buffer and at once; and what is left in the end, as most programs do. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *count(void *by) {
  int before = atomic_fetch_add(&x, (int)(long)by);
  printf("%d; ", before);
  fprintf(stderr, "%d\n", before + atomic_load(&x));
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, count, (void *)(4 * i + 5));
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  printf("%d\n", atomic_load(&x));
}
