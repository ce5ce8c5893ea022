/*
 * What <string.h> does to memory, made visible: user code that calls NAME calls fl_user_NAME instead, if that exists
 * here with the same type. Calls inside libc are left alone.
 *
 * One call is one operation, with one preemption point before it, except that copies also stop before they write. How
 * much a function touches is measured after the point: another thread may have written in between.
 *
 * Where that was seen to race (fl_words), functions go word by word; those that stop early by what they find, byte by
 * byte, since they need not be allowed to read further.
 */
#include "ranges.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

/* Bytes that reading a string touches, its end included, `most` at most. */
static size_t extent(const char *s, size_t most) {
  size_t n = strnlen(s, most);
  return n < most ? n + 1 : n;
}

#define WHOLE ((size_t)-1)

/* Texts shorter than this are kept where others may run before they are used. */
#define COPIED 1024

/* Reads a string or its first `most` bytes; returns how many. */
static size_t read_string(uint32_t site, const char *s, size_t most) {
  fl_point(site | FL_RANGE, s, extent(s, most));
  size_t n = extent(s, most);
  fl_log_range(site, s, n);
  return n;
}

/* One step: reads `most` bytes, which lie in a word, or less if the string ends there; returns how many. */
static size_t read_word(uint32_t site, const char *s, size_t most, char *word) {
  size_t n = read_string(site, s, most);
  memcpy(word, s, n);
  return n;
}

/* Reads a string or its first `most` bytes word by word; returns how many, and the last place of a character. */
static size_t read_words(uint32_t site, const char *s, size_t most, int c, const char **last) {
  char word[FL_WORD];
  for (size_t done = 0, n; done < most; done += n) {
    n = read_word(site, s + done, fl_word(s + done, most - done), word);
    for (size_t i = 0; last && i < n; i++)
      if (word[i] == (char)c) *last = s + done + i;
    if (word[n - 1] == 0) return done + n;
  }
  return most;
}

/* As many bytes as reading a string touches, its end included. */
static size_t measure(uint32_t site, const char *s, size_t most) {
  return fl_words(site) ? read_words(site, s, most, 0, 0) : read_string(site, s, most);
}

static char byte_at(uint32_t site, const char *s) {
  fl_access(site, s, 1);
  return *s;
}

size_t fl_user_strlen(const char *s) { return measure(fl_site(), s, WHOLE) - 1; }

size_t fl_user_strnlen(const char *s, size_t most) {
  if (most == 0) return 0;
  uint32_t site = fl_site();
  if (!fl_words(site)) {
    read_string(site, s, most);
    return strnlen(s, most);
  }
  const char *end = 0;
  size_t n = read_words(site, s, most, 0, &end);
  return end ? n - 1 : n;
}

/* Word by word, `most` bytes at most; returns how many, the end included. */
static size_t copy_text(uint32_t site, char *to, const char *from, size_t most) {
  char word[FL_WORD];
  for (size_t done = 0, n; done < most; done += n) {
    n = read_word(site, from + done, fl_word(to + done, most - done), word);
    fl_access(site | FL_WROTE, to + done, n);
    memcpy(to + done, word, n);
    if (word[n - 1] == 0) return done + n;
  }
  return most;
}

/* Returns where it ends. */
static char *copy_string(uint32_t site, char *to, const char *from) {
  if (fl_words(site)) return to + copy_text(site, to, from, WHOLE) - 1;
  size_t size = read_string(site, from, WHOLE);
  fl_copy(site, to, from, size);
  return to + size - 1;
}

char *fl_user_strcpy(char *to, const char *from) {
  copy_string(fl_site(), to, from);
  return to;
}

char *fl_user_stpcpy(char *to, const char *from) { return copy_string(fl_site(), to, from); }

char *fl_user___stpcpy(char *to, const char *from) { return fl_user_stpcpy(to, from); }

char *fl_user_strncpy(char *to, const char *from, size_t size) {
  if (size == 0) return to;
  uint32_t site = fl_site();
  if (fl_words(site)) {
    size_t n = copy_text(site, to, from, size);
    fl_write_words(site, to + n, 0, 0, size - n);
    return to;
  }
  read_string(site, from, size);
  fl_log_range(site | FL_WROTE, to, size);
  return strncpy(to, from, size);
}

static char *append(char *to, const char *from, size_t most) {
  uint32_t site = fl_site();
  if (fl_words(site)) {
    char *end = to + read_words(site, to, WHOLE, 0, 0) - 1;
    size_t n = copy_text(site, end, from, most);
    if (n == most && (n == 0 || end[n - 1])) fl_write_words(site, end + n, 0, 0, 1);
    return to;
  }
  size_t length = read_string(site, to, WHOLE) - 1;
  size_t n = strnlen(from, most);
  if (most) fl_log_range(site, from, extent(from, most));
  fl_log_range(site | FL_WROTE, to + length, n + 1);
  return strncat(to, from, most);
}

char *fl_user_strcat(char *to, const char *from) { return append(to, from, WHOLE); }

char *fl_user_strncat(char *to, const char *from, size_t most) { return append(to, from, most); }

/* The compiler calls others for these, but where it must not know what they do, or they are called through a pointer. */
void *fl_user_memcpy(void *to, const void *from, size_t size) { return __tsan_memmove(to, from, size); }
void *fl_user_memmove(void *to, const void *from, size_t size) { return __tsan_memmove(to, from, size); }
void *fl_user_memset(void *to, int value, size_t size) { return __tsan_memset(to, value, size); }

/* Bytes up to and including the first that differs or ends both. */
static size_t common(const char *a, const char *b, size_t most) {
  size_t n = 0;
  while (n < most) {
    char c = a[n], d = b[n];
    n++;
    if (c != d || c == 0) break;
  }
  return n;
}

static int compare_bytes(uint32_t site, const char *a, const char *b, size_t most) {
  for (size_t i = 0; i < most; i++) {
    unsigned char c = byte_at(site, a + i), d = byte_at(site, b + i);
    if (c != d || c == 0) return c - d;
  }
  return 0;
}

static void read_both(uint32_t site, const char *a, const char *b, size_t most) {
  if (most == 0) return;
  fl_point(site | FL_RANGE, a, common(a, b, most));
  size_t n = common(a, b, most);
  fl_log_range(site, a, n);
  fl_log_range(site, b, n);
}

int fl_user_strcmp(const char *a, const char *b) {
  uint32_t site = fl_site();
  if (fl_words(site)) return compare_bytes(site, a, b, WHOLE);
  read_both(site, a, b, WHOLE);
  return strcmp(a, b);
}

int fl_user_strncmp(const char *a, const char *b, size_t most) {
  uint32_t site = fl_site();
  if (fl_words(site)) return compare_bytes(site, a, b, most);
  read_both(site, a, b, most);
  return strncmp(a, b, most);
}

static int compare_words(uint32_t site, const char *a, const char *b, size_t size) {
  char x[FL_WORD], y[FL_WORD];
  int result = 0;
  for (size_t done = 0, n; done < size; done += n) {
    n = fl_word(a + done, size - done);
    fl_access(site, a + done, n);
    memcpy(x, a + done, n);
    fl_access(site, b + done, n);
    memcpy(y, b + done, n);
    if (result == 0) result = memcmp(x, y, n);
  }
  return result;
}

int fl_user_memcmp(const void *a, const void *b, size_t size) {
  if (size) {
    uint32_t site = fl_site();
    if (fl_words(site)) return compare_words(site, a, b, size);
    fl_access(site, a, size);
    fl_log_range(site, b, size);
  }
  return memcmp(a, b, size);
}

int fl_user_bcmp(const void *a, const void *b, size_t size) { return fl_user_memcmp(a, b, size); }

void *fl_user_memchr(const void *s, int c, size_t size) {
  if (size) {
    uint32_t site = fl_site();
    if (fl_words(site)) {
      const char *at = s, *end = at + size;
      while (at < end && byte_at(site, at) != (char)c) at++;
      return at < end ? (void *)at : 0;
    }
    fl_point(site | FL_RANGE, s, size);
    const char *found = memchr(s, c, size);
    fl_log_range(site, s, found ? (size_t)(found - (const char *)s) + 1 : size);
  }
  return memchr(s, c, size);
}

void fl_user_explicit_bzero(void *to, size_t size) {
  fl_write(to, size);
  explicit_bzero(to, size);
}

char *fl_user_strchr(const char *s, int c) {
  uint32_t site = fl_site();
  if (fl_words(site)) {
    for (;; s++) {
      char found = byte_at(site, s);
      if (found == (char)c) return (char *)s;
      if (found == 0) return 0;
    }
  }
  fl_point(site | FL_RANGE, s, 1);
  const char *found = strchr(s, c);
  fl_log_range(site, s, found ? (size_t)(found - s) + 1 : strlen(s) + 1);
  return (char *)found;
}

char *fl_user_strrchr(const char *s, int c) {
  uint32_t site = fl_site();
  if (fl_words(site)) {
    const char *last = 0;
    read_words(site, s, WHOLE, c, &last);
    return (char *)last;
  }
  read_string(site, s, WHOLE);
  return strrchr(s, c);
}

char *fl_user_index(const char *s, int c) { return fl_user_strchr(s, c); }
char *fl_user_rindex(const char *s, int c) { return fl_user_strrchr(s, c); }

char *fl_user_strstr(const char *s, const char *part) {
  uint32_t site = fl_site();
  read_string(site, s, WHOLE);
  fl_log_range(site, part, strlen(part) + 1);
  return strstr(s, part);
}

char *fl_user_strdup(const char *s) {
  uint32_t site = fl_site();
  size_t size = measure(site, s, WHOLE);
  char *copy = malloc(size);
  if (copy && fl_words(site)) {
    /* What others write meanwhile is copied, as strlen and memcpy would. */
    fl_copy_words(site, copy, s, size);
  } else if (copy) {
    /* Others may have run in between. */
    fl_log_range(site, s, size);
    fl_log_range(site | FL_WROTE, copy, size);
    memcpy(copy, s, size);
  }
  return copy;
}

char *fl_user_strndup(const char *s, size_t most) {
  uint32_t site = fl_site();
  if (most) read_string(site, s, most);
  size_t size = strnlen(s, most);
  char own[size < COPIED ? size + 1 : 1];
  if (size < COPIED) memcpy(own, s, size);
  char *copy = malloc(size + 1);
  if (!copy) return 0;
  /* Others may have run in between. */
  memcpy(copy, size < COPIED ? own : s, size);
  copy[size] = 0;
  fl_log_range(site | FL_WROTE, copy, size + 1);
  return copy;
}

char *fl_user___strndup(const char *s, size_t most) { return fl_user_strndup(s, most); }

int fl_user_strncasecmp(const char *a, const char *b, size_t most) {
  if (most) {
    uint32_t site = fl_site();
    read_string(site, a, most);
    fl_log_range(site, b, extent(b, most));
  }
  return strncasecmp(a, b, most);
}

int fl_user_atoi(const char *s) {
  read_string(fl_site(), s, WHOLE);
  return atoi(s);
}

/* Longer texts are written in one step. */
#define FORMATTED 1024

/* How much will be written is not known before; the point shows the first byte. */
static int format(char *to, size_t size, const char *pattern, va_list arguments) {
  uint32_t site = fl_site();
  if (size && fl_words(site)) {
    char text[FORMATTED];
    va_list copy;
    fl_read_arguments(site, pattern, arguments, 1);
    va_copy(copy, arguments);
    int length = vsnprintf(text, size < FORMATTED ? size : FORMATTED, pattern, copy);
    va_end(copy);
    if (length >= 0 && (length < FORMATTED || size <= FORMATTED)) {
      fl_write_words(site, to, text, 0, (size_t)length < size ? (size_t)length + 1 : size);
      return length;
    }
  }
  if (size) fl_point(site | FL_WROTE | FL_RANGE, to, 1);
  fl_read_arguments(site, pattern, arguments, size == 0);
  int length = vsnprintf(to, size, pattern, arguments);
  if (size && length >= 0) fl_log_range(site | FL_WROTE, to, (size_t)length < size ? (size_t)length + 1 : size);
  return length;
}

int fl_user_sprintf(char *to, const char *pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  int length = format(to, INT32_MAX, pattern, arguments);
  va_end(arguments);
  return length;
}

int fl_user_snprintf(char *to, size_t size, const char *pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  int length = format(to, size, pattern, arguments);
  va_end(arguments);
  return length;
}

int fl_user_vsprintf(char *to, const char *pattern, va_list arguments) { return format(to, INT32_MAX, pattern, arguments); }

int fl_user_vsnprintf(char *to, size_t size, const char *pattern, va_list arguments) {
  return format(to, size, pattern, arguments);
}

/* Functions that read strings to their end, or may. */
#define FL_READING(type, name)                                                                                         \
  type fl_user_##name(const char *a, const char *b) {                                                                  \
    uint32_t site = fl_site();                                                                                         \
    read_string(site, a, WHOLE);                                                                                       \
    fl_log_range(site, b, strlen(b) + 1);                                                                              \
    return name(a, b);                                                                                                 \
  }

FL_READING(size_t, strspn)
FL_READING(size_t, strcspn)
FL_READING(char *, strpbrk)
FL_READING(int, strcasecmp)
FL_READING(int, strcoll)

/* Copies as much as there is room for, and ends it; returns how long it would have been. */
static size_t copy_cut(char *to, const char *from, size_t room) {
  uint32_t site = fl_site();
  size_t length = read_string(site, from, WHOLE) - 1;
  if (room == 0) return length;
  size_t n = length < room ? length : room - 1;
  fl_log_range(site | FL_WROTE, to, n + 1);
  memmove(to, from, n);
  to[n] = 0;
  return length;
}

size_t fl_user_strlcpy(char *to, const char *from, size_t size) { return copy_cut(to, from, size); }

size_t fl_user_strlcat(char *to, const char *from, size_t size) {
  size_t length = read_string(fl_site(), to, size) - (memchr(to, 0, size) != 0);
  return length + copy_cut(to + length, from, size - length);
}

void fl_user_swab(const void *restrict from, void *restrict to, ssize_t size) {
  if (size < 2) return;
  uint32_t site = fl_site();
  fl_access(site, from, (size_t)size & ~(size_t)1);
  fl_log_range(site | FL_WROTE, to, (size_t)size & ~(size_t)1);
  swab(from, to, size);
}

void *fl_user_memccpy(void *restrict to, const void *restrict from, int c, size_t size) {
  if (size == 0) return 0;
  uint32_t site = fl_site();
  fl_point(site | FL_RANGE, from, 1);
  const char *end = memccpy(to, from, c, size);
  size_t n = end ? (size_t)(end - (char *)to) : size;
  fl_log_range(site, from, n);
  fl_log_range(site | FL_WROTE, to, n);
  return (void *)end;
}

void *fl_user_memmem(const void *s, size_t size, const void *part, size_t length) {
  if (size == 0) return memmem(s, size, part, length);
  uint32_t site = fl_site();
  fl_access(site, s, size);
  if (length) fl_log_range(site, part, length);
  return memmem(s, size, part, length);
}

char *fl_user_strsep(char **restrict rest, const char *restrict separators) {
  uint32_t site = fl_site();
  fl_access(site, rest, sizeof *rest);
  if (*rest == 0) return 0;
  fl_log_range(site, *rest, strlen(*rest) + 1);
  fl_log_range(site, separators, strlen(separators) + 1);
  char *token = strsep(rest, separators);
  fl_log_range(site | FL_WROTE, rest, sizeof *rest);
  if (*rest) fl_log_range(site | FL_WROTE, *rest - 1, 1);
  return token;
}
