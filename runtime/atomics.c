/*
 * Atomics of any size, which clang leaves to a library; those of 1, 2, 4 and 8 bytes are done in place when the module
 * is rewritten (src/frontends/wasm/rewrite/atomics.ts). All threads run inside one, so an atomic is a plain access with
 * a preemption point before it and a log entry that carries its order, its outcome and its length.
 */
#include "fl.h"

#include <string.h>

/* clang declares these as builtins of other types, hence the other names. */
void fl_load(size_t, const volatile void *, void *, int) __asm__("__atomic_load");
void fl_store(size_t, volatile void *, const void *, int) __asm__("__atomic_store");
void fl_exchange(size_t, volatile void *, const void *, void *, int) __asm__("__atomic_exchange");
_Bool fl_compare_exchange(size_t, volatile void *, void *, const void *, int, int) __asm__(
    "__atomic_compare_exchange");

static uint32_t updated(int order, _Bool changed) {
  return FL_ORDER(order) | FL_SUCCEEDED | (changed ? FL_CHANGED : 0);
}

void fl_load(size_t size, const volatile void *p, void *result, int order) {
  uint32_t word = fl_site() | FL_ORDER(order);
  fl_point(word | FL_RANGE, p, size);
  fl_log_range(word, p, size);
  memcpy(result, (const void *)p, size);
}

void fl_store(size_t size, volatile void *p, const void *v, int order) {
  uint32_t word = fl_site() | FL_ORDER(order);
  fl_point(word | FL_RANGE, p, size);
  fl_log_range(word, p, size);
  memcpy((void *)p, v, size);
}

void fl_exchange(size_t size, volatile void *p, const void *v, void *result, int order) {
  uint32_t site = fl_site();
  fl_point(site | FL_ORDER(order) | FL_RANGE, p, size);
  fl_log_range(site | updated(order, memcmp((void *)p, v, size) != 0), p, size);
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
    fl_log_range(site | updated(order, memcmp((void *)p, v, size) != 0), p, size);
    memcpy((void *)p, v, size);
    return 1;
  }
  fl_log_range(site | FL_ORDER(failure), p, size);
  memcpy(expected, (void *)p, size);
  return 0;
}

/* Every size is atomic here: threads switch only at preemption points. */
_Bool fl_is_lock_free(size_t, const volatile void *) __asm__("__atomic_is_lock_free");
_Bool fl_is_lock_free(size_t size, const volatile void *p) {
  (void)p;
  return size == 1 || size == 2 || size == 4 || size == 8;
}
