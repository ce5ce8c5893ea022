/* What programs with transactions cannot do: one case each, chosen by -DCASE. */
#include <faultline.h>
#include <immintrin.h>
#include <pthread.h>

static int x;

#if CASE == 1
__attribute__((constructor)) static void before_main(void) { _xbegin(); }
#endif

static void *worker(void *argument) {
  if (_xbegin() == _XBEGIN_STARTED) {
    x++;
#if CASE == 3
    faultline_assume(x == 0);
#endif
    _xend();
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
#if CASE == 2
  pthread_cancel(thread);
#endif
  pthread_join(thread, 0);
  return 0;
}
