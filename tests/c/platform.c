/* What programs ask of the system and of the processor. */
#include <assert.h>
#include <immintrin.h>
#include <x86gprintrin.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#if !defined(__unix__) || !defined(_POSIX_THREADS) || !defined(_POSIX_SEMAPHORES)
#error "this is a kind of Unix"
#endif

static int ready, x;

static void *writer(void *unused) {
  (void)unused;
  assert(gettid() > getpid());
  x = 1;
  _mm_mfence();
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  return NULL;
}

int main(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  assert(sched_setaffinity(0, sizeof set, &set) == -1);
  CPU_SET(1, &set);
  assert(sched_setaffinity(0, sizeof set, &set) == 0);
  assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
  assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 2);
  assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_ISSET(0, &set));
  assert(get_nprocs() == 2 && sysconf(_SC_NPROCESSORS_ONLN) == 2 && sysconf(_SC_PAGESIZE) > 0);
  assert(sched_getcpu() >= 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  assert(pthread_attr_setaffinity_np(&attributes, sizeof set, &set) == 0);
  assert(pthread_attr_getaffinity_np(&attributes, sizeof set, &set) == 0 && CPU_COUNT(&set) == 2);
  assert(gettid() == getpid() && syscall(SYS_gettid) == gettid());
  pthread_t other;
  pthread_create(&other, &attributes, writer, NULL);
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) {
    _mm_pause();
    __builtin_ia32_pause();
    assert(__builtin_return_address(0) == __builtin_return_address(0));
    __asm__ __volatile__("pause" ::: "memory");
  }
  _mm_lfence();
  asm volatile("mfence" ::: "memory");
  assert(x == 1);
  unsigned long long before = __rdtsc();
  assert(__rdtsc() >= before);
  unsigned low, high;
  asm volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high)::"memory");
  assert((((unsigned long long)high << 32) | low) > before);
  pthread_join(other, NULL);
  return 0;
}
