/* Return values of mutex calls of every type, in one thread; prints one line per call. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static const char *name(int code) {
  switch (code) {
    case 0: return "ok";
    case EBUSY: return "EBUSY";
    case EDEADLK: return "EDEADLK";
    case EPERM: return "EPERM";
    case ETIMEDOUT: return "ETIMEDOUT";
    case EINVAL: return "EINVAL";
    default: return "?";
  }
}

#define SHOW(call) printf("%s %s\n", #call, name(call))

static pthread_mutex_t m;
static struct timespec now;

static void *other(void *argument) {
  SHOW(pthread_mutex_trylock(&m));
  SHOW(pthread_mutex_timedlock(&m, &now));
  SHOW(pthread_mutex_unlock(&m));
  return argument;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_t thread;
  clock_gettime(CLOCK_REALTIME, &now);

  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &attributes);
  SHOW(pthread_mutex_lock(&m));
  SHOW(pthread_mutex_lock(&m));
  SHOW(pthread_mutex_trylock(&m));
  SHOW(pthread_mutex_timedlock(&m, &now));
  for (int i = 0; i < 4; i++) SHOW(pthread_mutex_unlock(&m));
  SHOW(pthread_mutex_destroy(&m));

  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &attributes);
  SHOW(pthread_mutex_unlock(&m));
  SHOW(pthread_mutex_lock(&m));
  SHOW(pthread_mutex_lock(&m));
  SHOW(pthread_mutex_trylock(&m));
  SHOW(pthread_mutex_timedlock(&m, &now));
  SHOW(pthread_mutex_destroy(&m));
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  SHOW(pthread_mutex_unlock(&m));
  SHOW(pthread_mutex_destroy(&m));

  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&m, &attributes);
  SHOW(pthread_mutex_timedlock(&m, &now));
  SHOW(pthread_mutex_trylock(&m));
  SHOW(pthread_mutex_timedlock(&m, &now));
  SHOW(pthread_mutex_unlock(&m));
  SHOW(pthread_mutex_destroy(&m));

  pthread_mutex_init(&m, 0);
  SHOW(pthread_mutex_lock(&m));
  SHOW(pthread_mutex_unlock(&m));
  return 0;
}
