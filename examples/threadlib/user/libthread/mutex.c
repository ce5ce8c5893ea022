/* Mutexes: one word that is taken by an atomic exchange. Whoever finds it taken gives way and tries again. */
#include <mutex.h>
#include <syscall.h>

int mutex_init(mutex_t *mp) {
  mp->is_taken = 0;
  return 0;
}

void mutex_destroy(mutex_t *mp) { (void)mp; }

void mutex_lock(mutex_t *mp) {
#if defined MISTAKE_test_then_set
  while (mp->is_taken) yield(-1);
  mp->is_taken = 1;
#elif defined MISTAKE_lock_gives_up
  if (faultline_xchg(&mp->is_taken, 1)) {
    yield(-1);
    faultline_xchg(&mp->is_taken, 1);
  }
#elif defined MISTAKE_counting_lock
  while (faultline_xadd(&mp->is_taken, 1) != 0) {
    mp->is_taken = mp->is_taken - 1;
    yield(-1);
  }
#else
  while (faultline_xchg(&mp->is_taken, 1)) yield(-1);
#endif
}

void mutex_unlock(mutex_t *mp) {
#if defined MISTAKE_unlock_toggles
  faultline_xadd(&mp->is_taken, -mp->is_taken);
  mp->is_taken = 0;
#elif defined MISTAKE_counting_lock
  faultline_xadd(&mp->is_taken, -1);
#else
  faultline_xchg(&mp->is_taken, 0);
#endif
}
