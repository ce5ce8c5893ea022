/* Oxygen takes two hydrogens one at a time; two oxygens starve each other or bond wrongly. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int h, o, bonded_h, bonded_o;
static void try_bond(void) {
#ifdef BUG
  if (h >= 2 || o >= 1) {
#else
  if (h >= 2 && o >= 1) {
#endif
    h -= 2; o -= 1; bonded_h += 2; bonded_o += 1;
    pthread_cond_broadcast(&c);
  }
}
static void *hydrogen(void *a) {
  pthread_mutex_lock(&m);
  h++; try_bond();
  while (!bonded_h) pthread_cond_wait(&c, &m);
  bonded_h--;
  assert(h >= 0 && o >= 0);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *oxygen(void *a) {
  pthread_mutex_lock(&m);
  o++; try_bond();
  while (!bonded_o) pthread_cond_wait(&c, &m);
  bonded_o--;
  assert(h >= 0 && o >= 0);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, hydrogen, 0); pthread_create(&t[1], 0, hydrogen, 0); pthread_create(&t[2], 0, oxygen, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
