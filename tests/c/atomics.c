/* Atomics of every size: results in one thread, then updates by two that must not be lost. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define CHECK(T)                                                     \
  static void check_##T(void) {                                      \
    static _Atomic T a;                                              \
    static T plain = 10;                                             \
    T expected = 4;                                                  \
    atomic_store_explicit(&a, 3, memory_order_release);              \
    assert(atomic_load_explicit(&a, memory_order_acquire) == 3);     \
    assert(atomic_exchange(&a, 5) == 3);                             \
    assert(!atomic_compare_exchange_strong(&a, &expected, 9));       \
    assert(expected == 5);                                           \
    assert(atomic_compare_exchange_weak(&a, &expected, 9));          \
    assert(atomic_fetch_add(&a, 3) == 9);                            \
    assert(atomic_fetch_sub(&a, 4) == 12);                           \
    assert(atomic_fetch_and(&a, 12) == 8);                           \
    assert(atomic_fetch_or(&a, 3) == 8);                             \
    assert(atomic_fetch_xor(&a, 1) == 11);                           \
    assert(atomic_load(&a) == 10);                                   \
    assert(__atomic_nand_fetch(&plain, 6, __ATOMIC_SEQ_CST) == (T)~2); \
  }

CHECK(uint8_t)
CHECK(uint16_t)
CHECK(uint32_t)
CHECK(uint64_t)

static atomic_uint_least64_t wide;
static atomic_uchar narrow;
static atomic_flag flag = ATOMIC_FLAG_INIT;

static void *worker(void *argument) {
  uint64_t seen = atomic_load(&wide);
  while (!atomic_compare_exchange_strong(&wide, &seen, seen + (1ull << 40))) {}
  atomic_fetch_add_explicit(&narrow, 1, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  check_uint8_t();
  check_uint16_t();
  check_uint32_t();
  check_uint64_t();
  assert(!atomic_flag_test_and_set(&flag));
  assert(atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  atomic_thread_fence(memory_order_seq_cst);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(atomic_load(&wide) == 2ull << 40);
  assert(atomic_load(&narrow) == 2);
  return 0;
}
