/* Names of the allocator that reduce to others. */
#include "fl.h"

#include <errno.h>
#include <stddef.h>

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);

int __wrap_posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *block = __wrap_aligned_alloc(alignment, size);
  if (!block) return ENOMEM;
  fl_write(result, sizeof *result);
  *result = block;
  return 0;
}

/* What libc calls itself. */
void *__wrap___libc_malloc(size_t size) { return __wrap_malloc(size); }
void *__wrap___libc_calloc(size_t count, size_t size) { return __wrap_calloc(count, size); }
void __wrap___libc_free(void *block) { __wrap_free(block); }
