/* Cigarette smokers without pushers. */
#include <pthread.h>
#include <semaphore.h>
static sem_t agent, item[3];
#ifndef BUG
static sem_t smoker_sem[3], m; static int have[3];
static void *pusher(void *a) {
  int i = (int)(long)a;
  (void)i;
  sem_wait(&item[i]);
  sem_wait(&m);
  int other = -1;
  for (int k = 0; k < 3; k++) if (have[k]) other = k;
  if (other < 0) have[i] = 1;
  else { have[other] = 0; sem_post(&smoker_sem[3 - i - other]); }
  sem_post(&m);
  return 0;
}
#endif
static int smoked;
static void *smoker(void *a) {
  int i = (int)(long)a;
#ifdef BUG
  sem_wait(&item[(i + 1) % 3]);
  sem_wait(&item[(i + 2) % 3]);
#else
  sem_wait(&smoker_sem[i]);
#endif
  smoked++;
  sem_post(&agent);
  return 0;
}
int main(void) {
  pthread_t s[3], p[3];
  sem_init(&agent, 0, 0);
  for (int i = 0; i < 3; i++) sem_init(&item[i], 0, 0);
#ifndef BUG
  sem_init(&m, 0, 1);
  for (int i = 0; i < 3; i++) sem_init(&smoker_sem[i], 0, 0);
  for (long i = 0; i < 2; i++) pthread_create(&p[i], 0, pusher, (void *)i);
#endif
#ifdef BUG
  for (long i = 0; i < 3; i++) pthread_create(&s[i], 0, smoker, (void *)i);
#else
  pthread_create(&s[2], 0, smoker, (void *)2);
#endif
  sem_post(&item[0]); sem_post(&item[1]);   /* smoker 2 may smoke */
  sem_wait(&agent);
#ifdef BUG
  for (int i = 0; i < 3; i++) { sem_post(&item[i]); sem_post(&item[i]); }
  for (int i = 0; i < 3; i++) pthread_join(s[i], 0);
#else
  pthread_join(s[2], 0);
  for (int i = 0; i < 2; i++) pthread_join(p[i], 0);
#endif
}
