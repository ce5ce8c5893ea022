/* An actor goes to sleep when its mailbox looks empty; a letter that comes in between lies there for ever. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int letters, is_asleep;
static sem_t wake;

static void *actor(void *unused) {
  int read = 0;
  while (read < 2) {
    if (letters > 0) {
      letters--;
      read++;
      continue;
    }
    is_asleep = 1;
#ifndef BUG
    if (letters > 0) {
      if (!atomic_exchange(&is_asleep, 0)) sem_wait(&wake);
      continue;
    }
#endif
    sem_wait(&wake); // cause
  }
  return unused;
}

static void *post(void *unused) {
  letters++; // cause
  if (atomic_exchange(&is_asleep, 0)) sem_post(&wake);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&wake, 0, 0);
  pthread_create(&threads[0], 0, actor, 0);
  pthread_create(&threads[1], 0, post, 0);
  pthread_create(&threads[2], 0, post, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
