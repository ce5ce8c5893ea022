/* Every atomic operation at every size, checked by the program itself. */
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define SIZES(T, NAME)                                                         \
  static _Atomic T NAME##_a;                                                   \
  static T NAME##_g;                                                           \
  static void NAME(void) {                                                     \
    T e;                                                                       \
    atomic_store(&NAME##_a, 5);                                                \
    assert(atomic_load_explicit(&NAME##_a, memory_order_acquire) == 5);        \
    assert(atomic_exchange(&NAME##_a, 6) == 5);                                \
    assert(atomic_fetch_add(&NAME##_a, 3) == 6);                               \
    assert(atomic_fetch_sub(&NAME##_a, 1) == 9);                               \
    assert(atomic_fetch_and(&NAME##_a, 12) == 8);                              \
    assert(atomic_fetch_or(&NAME##_a, 3) == 8);                                \
    assert(atomic_fetch_xor(&NAME##_a, 1) == 11);                              \
    assert(__atomic_fetch_nand(&NAME##_g, 1, __ATOMIC_RELAXED) == 0);          \
    assert(NAME##_g == (T)-1);                                                 \
    e = 1;                                                                     \
    assert(!atomic_compare_exchange_strong(&NAME##_a, &e, 2));                 \
    assert(e == 10);                                                           \
    assert(atomic_compare_exchange_weak(&NAME##_a, &e, 2));                    \
    assert(atomic_load(&NAME##_a) == 2);                                       \
    assert(__sync_val_compare_and_swap(&NAME##_g, (T)-1, 4) == (T)-1);         \
    assert(__sync_add_and_fetch(&NAME##_g, 1) == 5);                           \
    assert(__atomic_add_fetch(&NAME##_g, 1, __ATOMIC_ACQ_REL) == 6);           \
  }

SIZES(uint8_t, u8)
SIZES(uint16_t, u16)
SIZES(uint32_t, u32)
SIZES(uint64_t, u64)

struct big {
  int x[5];
};
static _Atomic struct big big;
static _Atomic(_Bool) flag;
static int *_Atomic pointer;
static _Atomic double real;

int main(void) {
  u8();
  u16();
  u32();
  u64();
  struct big b = {{1, 2, 3, 4, 5}}, c = {{9}};
  atomic_store(&big, b);
  assert(atomic_load(&big).x[4] == 5);
  assert(atomic_exchange(&big, c).x[1] == 2);
  assert(!atomic_compare_exchange_strong(&big, &b, c));
  assert(b.x[0] == 9);
  assert(atomic_compare_exchange_strong(&big, &b, (struct big){{7}}));
  atomic_store(&flag, 1);
  assert(atomic_exchange(&flag, 0));
  atomic_store(&pointer, &b.x[2]);
  assert(atomic_load(&pointer) == &b.x[2]);
  atomic_store(&real, 1.5);
  assert(atomic_load(&real) == 1.5);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
  atomic_flag f = ATOMIC_FLAG_INIT;
  assert(!atomic_flag_test_and_set(&f));
  assert(atomic_flag_test_and_set(&f));
  atomic_flag_clear(&f);
  puts("ok");
  return 0;
}
