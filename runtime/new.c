/*
 * new and delete, on the heap of the machine, which remembers how a block was allocated: it has to be freed likewise.
 * Weak: a program may replace them, and those it does not replace then go through its own, as the standard says.
 */
#include "host.h"

#define FL_NEW __attribute__((weak))

void *__wrap_malloc(size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

/* In exceptions/library.c. */
__attribute__((weak)) void fl_throw_bad_alloc(void);

enum { fl_by_new = 1, fl_by_new_array = 2 };

void *fl_new(size_t) __asm__("_Znwm");
void *fl_new_array(size_t) __asm__("_Znam");
void *fl_new_aligned(size_t, size_t) __asm__("_ZnwmSt11align_val_t");
void *fl_new_array_aligned(size_t, size_t) __asm__("_ZnamSt11align_val_t");
void *fl_new_nothrow(size_t, const void *) __asm__("_ZnwmRKSt9nothrow_t");
void *fl_new_array_nothrow(size_t, const void *) __asm__("_ZnamRKSt9nothrow_t");
void fl_delete(void *) __asm__("_ZdlPv");
void fl_delete_array(void *) __asm__("_ZdaPv");
void fl_delete_sized(void *, size_t) __asm__("_ZdlPvm");
void fl_delete_array_sized(void *, size_t) __asm__("_ZdaPvm");
void fl_delete_aligned(void *, size_t) __asm__("_ZdlPvSt11align_val_t");
void fl_delete_array_aligned(void *, size_t) __asm__("_ZdaPvSt11align_val_t");
void fl_delete_sized_aligned(void *, size_t, size_t) __asm__("_ZdlPvmSt11align_val_t");
void fl_delete_array_sized_aligned(void *, size_t, size_t) __asm__("_ZdaPvmSt11align_val_t");

static void *fl_taken(void *block) {
  if (block) fl_set_family(block, fl_by_new);
  return block;
}

/* Called for what must not throw. */
static _Thread_local _Bool fl_must_not_throw;

static void *fl_had(void *block) {
  if (!block && !fl_must_not_throw) {
    if (fl_throw_bad_alloc) fl_throw_bad_alloc();
    fl_uncaught("an exception of type std::bad_alloc is thrown, and nothing catches it");
  }
  return fl_taken(block);
}

FL_NEW void *fl_new(size_t size) { return fl_had(__wrap_malloc(size)); }

FL_NEW void *fl_new_aligned(size_t size, size_t alignment) {
  return fl_had(__wrap_aligned_alloc(alignment, size));
}

FL_NEW void fl_delete(void *block) { fl_free_as(block, fl_by_new); }
FL_NEW void fl_delete_aligned(void *block, size_t alignment) {
  (void)alignment;
  fl_free_as(block, fl_by_new);
}

FL_NEW void *fl_new_array(size_t size) {
  void *block = fl_new(size);
  if (block) fl_change_family(block, fl_by_new, fl_by_new_array);
  return block;
}

FL_NEW void *fl_new_array_aligned(size_t size, size_t alignment) {
  void *block = fl_new_aligned(size, alignment);
  fl_change_family(block, fl_by_new, fl_by_new_array);
  return block;
}

FL_NEW void fl_delete_array(void *block) {
  fl_change_family(block, fl_by_new_array, fl_by_new);
  fl_delete(block);
}

FL_NEW void fl_delete_array_aligned(void *block, size_t alignment) {
  fl_change_family(block, fl_by_new_array, fl_by_new);
  fl_delete_aligned(block, alignment);
}

FL_NEW void *fl_new_nothrow(size_t size, const void *nothrow) {
  (void)nothrow;
  fl_must_not_throw = 1;
  void *block = fl_new(size);
  fl_must_not_throw = 0;
  return block;
}

FL_NEW void *fl_new_array_nothrow(size_t size, const void *nothrow) {
  (void)nothrow;
  fl_must_not_throw = 1;
  void *block = fl_new_array(size);
  fl_must_not_throw = 0;
  return block;
}

FL_NEW void fl_delete_sized(void *block, size_t size) {
  (void)size;
  fl_delete(block);
}

FL_NEW void fl_delete_array_sized(void *block, size_t size) {
  (void)size;
  fl_delete_array(block);
}

FL_NEW void fl_delete_sized_aligned(void *block, size_t size, size_t alignment) {
  (void)size;
  fl_delete_aligned(block, alignment);
}

FL_NEW void fl_delete_array_sized_aligned(void *block, size_t size, size_t alignment) {
  (void)size;
  fl_delete_array_aligned(block, alignment);
}
