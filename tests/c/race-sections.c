/* Atomic sections and races; the first argument chooses. Reports are told apart by function. */
#include <faultline.h>
#include <pthread.h>
#include <stdlib.h>

static int count, ready, data;

static void *add_in_section(void *u) {
  faultline_atomic_begin();
  count++;
  faultline_atomic_end();
  return u;
}
static void *add_outside(void *u) {
  count++;
  return u;
}

/* What was done before one section is done for whoever finds in another what it wrote. */
static void *hand_on(void *u) {
  data = 1;
  faultline_atomic_begin();
  ready = 1;
  faultline_atomic_end();
  return u;
}
static void *take_over(void *u) {
  faultline_atomic_begin();
  int r = ready;
  faultline_atomic_end();
  if (r) data++;
  return u;
}
static void *take_at_once(void *u) {
  faultline_atomic_begin();
  int r = ready;
  faultline_atomic_end();
  data += r;
  return u;
}

typedef void *body(void *);
static body *cases[][2] = {
    {add_in_section, add_in_section},
    {add_in_section, add_outside},
    {hand_on, take_over},
    {hand_on, take_at_once},
};

int main(int argc, char **argv) {
  pthread_t threads[2];
  body **bodies = cases[argc > 1 ? atoi(argv[1]) : 0];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, bodies[i], 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
