/*
 * C11 and GCC atomics. All threads run inside one, so an atomic is a plain access with a preemption point before it
 * and a log entry that carries its order and its outcome.
 *
 * The __tsan_ functions are what clang's thread-sanitizer pass makes of atomics; the __atomic_ functions are what
 * clang calls for sizes and alignments it has no instruction for.
 */
#include "fl.h"

#include <string.h>


/* An update that read `old` and wrote `fresh`. */
#define UPDATED(order, differs) (FL_ORDER(order) | FL_SUCCEEDED | ((differs) ? FL_CHANGED : 0))

#define FETCH(T, NAME, RESULT)                                                                                       \
  T NAME(volatile T *p, T v, int order) {                                                                            \
    uint32_t site = fl_site();                                                                                       \
    fl_point(site | FL_ORDER(order), p, sizeof(T));                                                                  \
    T old = *p;                                                                                                      \
    T fresh = RESULT;                                                                                                \
    *p = fresh;                                                                                                      \
    fl_record(site | UPDATED(order, fresh != old), p);                                                               \
    return old;                                                                                                      \
  }

#define LOAD(T, NAME)                                                                                                \
  T NAME(const volatile T *p, int order) {                                                                           \
    uint32_t word = fl_site() | FL_ORDER(order);                                                                     \
    fl_point(word, p, sizeof(T));                                                                                    \
    fl_record(word, p);                                                                                              \
    return *p;                                                                                                       \
  }

#define STORE(T, NAME)                                                                                               \
  void NAME(volatile T *p, T v, int order) {                                                                         \
    uint32_t word = fl_site() | FL_ORDER(order);                                                                     \
    fl_point(word, p, sizeof(T));                                                                                    \
    fl_record(word, p);                                                                                              \
    *p = v;                                                                                                          \
  }

/* Returns the value found; `*expected` is left alone. */
#define COMPARE(T, NAME)                                                                                             \
  static inline T NAME(volatile T *p, T expected, T v, int order, int failure) {                                     \
    uint32_t site = fl_site();                                                                                       \
    fl_point(site | FL_ORDER(order), p, sizeof(T));                                                                  \
    T old = *p;                                                                                                      \
    if (old == expected) {                                                                                           \
      *p = v;                                                                                                        \
      fl_record(site | UPDATED(order, v != old), p);                                                                 \
    } else {                                                                                                         \
      fl_record(site | FL_ORDER(failure), p);                                                                        \
    }                                                                                                                \
    return old;                                                                                                      \
  }

#define COMPARE_EXCHANGE(T, NAME, COMPARED, RESULT_TYPE)                                                             \
  RESULT_TYPE NAME(volatile T *p, T *expected, T v, int order, int failure) {                                        \
    T wanted = *expected;                                                                                            \
    T old = COMPARED(p, wanted, v, order, failure);                                                                  \
    if (old == wanted) return 1;                                                                                     \
    *expected = old;                                                                                                 \
    return 0;                                                                                                        \
  }

#define SANITIZER_ATOMICS(BITS, T)                                                                                   \
  LOAD(T, __tsan_atomic##BITS##_load)                                                                                \
  STORE(T, __tsan_atomic##BITS##_store)                                                                              \
  FETCH(T, __tsan_atomic##BITS##_exchange, v)                                                                        \
  FETCH(T, __tsan_atomic##BITS##_fetch_add, old + v)                                                                 \
  FETCH(T, __tsan_atomic##BITS##_fetch_sub, old - v)                                                                 \
  FETCH(T, __tsan_atomic##BITS##_fetch_and, old & v)                                                                 \
  FETCH(T, __tsan_atomic##BITS##_fetch_or, old | v)                                                                  \
  FETCH(T, __tsan_atomic##BITS##_fetch_xor, old ^ v)                                                                 \
  FETCH(T, __tsan_atomic##BITS##_fetch_nand, (T)~(old & v))                                                          \
  COMPARE(T, compare##BITS)                                                                                          \
  COMPARE_EXCHANGE(T, __tsan_atomic##BITS##_compare_exchange_strong, compare##BITS, int)                             \
  COMPARE_EXCHANGE(T, __tsan_atomic##BITS##_compare_exchange_weak, compare##BITS, int)                               \
  T __tsan_atomic##BITS##_compare_exchange_val(volatile T *p, T expected, T v, int order, int failure) {             \
    return compare##BITS(p, expected, v, order, failure);                                                            \
  }

SANITIZER_ATOMICS(8, uint8_t)
SANITIZER_ATOMICS(16, uint16_t)
SANITIZER_ATOMICS(32, uint32_t)
SANITIZER_ATOMICS(64, uint64_t)
SANITIZER_ATOMICS(128, unsigned __int128)

void __tsan_init(void) {}

void __tsan_atomic_thread_fence(int order) {
  uint32_t word = fl_site() | FL_ORDER(order);
  fl_point(word, 0, 0);
  fl_record(word, 0);
}

/* Orders a thread with its own signal handlers only: no other thread can tell. */
void __tsan_atomic_signal_fence(int order) { (void)order; }

/* Sizes known by name. clang declares these as builtins, hence the other names. */
#define LIBRARY_ATOMICS(BYTES, BITS, T)                                                                              \
  LOAD(T, fl_load_##BYTES)                                                                                           \
  STORE(T, fl_store_##BYTES)                                                                                         \
  FETCH(T, fl_exchange_##BYTES, v)                                                                                   \
  FETCH(T, fl_fetch_add_##BYTES, old + v)                                                                            \
  FETCH(T, fl_fetch_sub_##BYTES, old - v)                                                                            \
  FETCH(T, fl_fetch_and_##BYTES, old & v)                                                                            \
  FETCH(T, fl_fetch_or_##BYTES, old | v)                                                                             \
  FETCH(T, fl_fetch_xor_##BYTES, old ^ v)                                                                            \
  FETCH(T, fl_fetch_nand_##BYTES, (T)~(old & v))                                                                     \
  COMPARE_EXCHANGE(T, fl_compare_exchange_##BYTES, compare##BITS, _Bool)

#define NAMED(BYTES, VERB) __asm__("__atomic_" #VERB "_" #BYTES)
#define DECLARE(BYTES, T)                                                                                            \
  T fl_load_##BYTES(const volatile T *, int) NAMED(BYTES, load);                                                     \
  void fl_store_##BYTES(volatile T *, T, int) NAMED(BYTES, store);                                                   \
  T fl_exchange_##BYTES(volatile T *, T, int) NAMED(BYTES, exchange);                                                \
  T fl_fetch_add_##BYTES(volatile T *, T, int) NAMED(BYTES, fetch_add);                                              \
  T fl_fetch_sub_##BYTES(volatile T *, T, int) NAMED(BYTES, fetch_sub);                                              \
  T fl_fetch_and_##BYTES(volatile T *, T, int) NAMED(BYTES, fetch_and);                                              \
  T fl_fetch_or_##BYTES(volatile T *, T, int) NAMED(BYTES, fetch_or);                                                \
  T fl_fetch_xor_##BYTES(volatile T *, T, int) NAMED(BYTES, fetch_xor);                                              \
  T fl_fetch_nand_##BYTES(volatile T *, T, int) NAMED(BYTES, fetch_nand);                                            \
  _Bool fl_compare_exchange_##BYTES(volatile T *, T *, T, int, int) NAMED(BYTES, compare_exchange);

DECLARE(1, uint8_t)
DECLARE(2, uint16_t)
DECLARE(4, uint32_t)
DECLARE(8, uint64_t)
LIBRARY_ATOMICS(1, 8, uint8_t)
LIBRARY_ATOMICS(2, 16, uint16_t)
LIBRARY_ATOMICS(4, 32, uint32_t)
LIBRARY_ATOMICS(8, 64, uint64_t)

/* Any size. The length is in the log, since the site does not know it. */
void fl_load(size_t, const volatile void *, void *, int) __asm__("__atomic_load");
void fl_store(size_t, volatile void *, const void *, int) __asm__("__atomic_store");
void fl_exchange(size_t, volatile void *, const void *, void *, int) __asm__("__atomic_exchange");
_Bool fl_compare_exchange(size_t, volatile void *, void *, const void *, int, int) __asm__(
    "__atomic_compare_exchange");

static void record_range(uint32_t word, const volatile void *p, size_t size) {
  fl_record(word | FL_RANGE, p);
  fl_record((uint32_t)size, 0);
}

void fl_load(size_t size, const volatile void *p, void *result, int order) {
  uint32_t word = fl_site() | FL_ORDER(order);
  fl_point(word | FL_RANGE, p, size);
  record_range(word, p, size);
  memcpy(result, (const void *)p, size);
}

void fl_store(size_t size, volatile void *p, const void *v, int order) {
  uint32_t word = fl_site() | FL_ORDER(order);
  fl_point(word | FL_RANGE, p, size);
  record_range(word, p, size);
  memcpy((void *)p, v, size);
}

void fl_exchange(size_t size, volatile void *p, const void *v, void *result, int order) {
  uint32_t site = fl_site();
  fl_point(site | FL_ORDER(order) | FL_RANGE, p, size);
  record_range(site | UPDATED(order, memcmp((void *)p, v, size) != 0), p, size);
  /* `v` and `result` may be the same object. */
  for (size_t i = 0; i < size; i++) {
    char old = ((volatile char *)p)[i];
    ((volatile char *)p)[i] = ((const char *)v)[i];
    ((char *)result)[i] = old;
  }
}

_Bool fl_compare_exchange(size_t size, volatile void *p, void *expected, const void *v, int order, int failure) {
  uint32_t site = fl_site();
  fl_point(site | FL_ORDER(order) | FL_RANGE, p, size);
  if (memcmp((void *)p, expected, size) == 0) {
    record_range(site | UPDATED(order, memcmp((void *)p, v, size) != 0), p, size);
    memcpy((void *)p, v, size);
    return 1;
  }
  record_range(site | FL_ORDER(failure), p, size);
  memcpy(expected, (void *)p, size);
  return 0;
}

/* Every size is atomic here: threads switch only at preemption points. */
_Bool fl_is_lock_free(size_t, const volatile void *) __asm__("__atomic_is_lock_free");
_Bool fl_is_lock_free(size_t size, const volatile void *p) {
  (void)p;
  return size == 1 || size == 2 || size == 4 || size == 8;
}
