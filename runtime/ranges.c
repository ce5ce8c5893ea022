/*
 * Copying and filling of memory by user code, struct assignments included: clang's thread-sanitizer pass calls these.
 * One step for reading and one for writing, unless somebody was seen to come between the words: then a step for each.
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

static void copy_word(uint32_t site, char *to, const char *from, size_t size) {
  char word[FL_WORD];
  fl_access(site, from, size);
  memcpy(word, from, size);
  fl_access(site | FL_WROTE, to, size);
  memcpy(to, word, size);
}

/* From the end if that is where they overlap, as memmove must. */
void fl_copy_words(uint32_t site, char *to, const char *from, size_t size) {
  if (to > from && to < from + size) {
    while (size) {
      size_t n = (uintptr_t)(to + size) & (FL_WORD - 1);
      if (n == 0) n = FL_WORD;
      if (n > size) n = size;
      size -= n;
      copy_word(site, to + size, from + size, n);
    }
    return;
  }
  for (size_t done = 0, n; done < size; done += n) {
    n = fl_word(to + done, size - done);
    copy_word(site, to + done, from + done, n);
  }
}

void *__tsan_memmove(void *to, const void *from, size_t size) {
  if (size == 0) return to;
  uint32_t site = fl_site();
  if (size > FL_WORD && fl_words(site)) {
    fl_copy_words(site, to, from, size);
    return to;
  }
  fl_access(site, from, size);
  fl_copy(site, to, from, size);
  return to;
}

void *__tsan_memcpy(void *to, const void *from, size_t size) { return __tsan_memmove(to, from, size); }

void fl_write_words(uint32_t site, void *to, const char *from, int value, size_t size) {
  for (size_t done = 0, n; done < size; done += n) {
    char *word = (char *)to + done;
    n = fl_word(word, size - done);
    fl_access(site | FL_WROTE, word, n);
    if (from)
      memcpy(word, from + done, n);
    else
      memset(word, value, n);
  }
}

void *__tsan_memset(void *to, int value, size_t size) {
  uint32_t site = fl_site();
  if (size > FL_WORD && fl_words(site)) {
    fl_write_words(site, to, 0, value, size);
    return to;
  }
  fl_write(to, size);
  return memset(to, value, size);
}
