/*
 * Copying and filling of memory by user code, struct assignments included: clang's thread-sanitizer pass calls these.
 */
#include "ranges.h"

/* Copies up to this size stop between reading and writing, as the loads and stores they stand for would. */
#define BUFFERED 1024

void fl_copy(uint32_t site, void *to, const void *from, size_t size) {
  if (size <= BUFFERED) {
    char buffer[BUFFERED];
    memcpy(buffer, from, size);
    fl_access(site | FL_WROTE, to, size);
    memcpy(to, buffer, size);
  } else {
    fl_log_range(site | FL_WROTE, to, size);
    memmove(to, from, size);
  }
}

void *__tsan_memmove(void *to, const void *from, size_t size) {
  if (size == 0) return to;
  uint32_t site = fl_site();
  fl_access(site, from, size);
  fl_copy(site, to, from, size);
  return to;
}

void *__tsan_memcpy(void *to, const void *from, size_t size) { return __tsan_memmove(to, from, size); }

void *__tsan_memset(void *to, int value, size_t size) {
  fl_write(to, size);
  return memset(to, value, size);
}
