/*
 * What <string.h> does to memory, made visible: user code that calls NAME calls fl_user_NAME instead, if that exists
 * here with the same type. Calls inside libc are left alone.
 *
 * One call is one operation, with one preemption point before it, except that copies also stop before they write. How
 * much a function touches is measured after the point: another thread may have written in between.
 */
#include "ranges.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes that reading a string touches, its end included, `most` at most. */
static size_t extent(const char *s, size_t most) {
  size_t n = strnlen(s, most);
  return n < most ? n + 1 : n;
}

#define WHOLE ((size_t)-1)

/* Reads a string or its first `most` bytes; returns how many. */
static size_t read_string(uint32_t site, const char *s, size_t most) {
  fl_point(site | FL_RANGE, s, extent(s, most));
  size_t n = extent(s, most);
  fl_log_range(site, s, n);
  return n;
}

size_t fl_user_strlen(const char *s) { return read_string(fl_site(), s, WHOLE) - 1; }

size_t fl_user_strnlen(const char *s, size_t most) {
  if (most) read_string(fl_site(), s, most);
  return strnlen(s, most);
}

static char *copy_string(char *to, const char *from) {
  uint32_t site = fl_site();
  fl_copy(site, to, from, read_string(site, from, WHOLE));
  return to;
}

char *fl_user_strcpy(char *to, const char *from) { return copy_string(to, from); }

char *fl_user_stpcpy(char *to, const char *from) { return to + strlen(copy_string(to, from)); }

char *fl_user_strncpy(char *to, const char *from, size_t size) {
  if (size == 0) return to;
  uint32_t site = fl_site();
  read_string(site, from, size);
  fl_log_range(site | FL_WROTE, to, size);
  return strncpy(to, from, size);
}

static char *append(char *to, const char *from, size_t most) {
  uint32_t site = fl_site();
  size_t length = read_string(site, to, WHOLE) - 1;
  size_t n = strnlen(from, most);
  if (most) fl_log_range(site, from, extent(from, most));
  fl_log_range(site | FL_WROTE, to + length, n + 1);
  return strncat(to, from, most);
}

char *fl_user_strcat(char *to, const char *from) { return append(to, from, WHOLE); }

char *fl_user_strncat(char *to, const char *from, size_t most) { return append(to, from, most); }

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

static void read_both(const char *a, const char *b, size_t most) {
  if (most == 0) return;
  uint32_t site = fl_site();
  fl_point(site | FL_RANGE, a, common(a, b, most));
  size_t n = common(a, b, most);
  fl_log_range(site, a, n);
  fl_log_range(site, b, n);
}

int fl_user_strcmp(const char *a, const char *b) {
  read_both(a, b, WHOLE);
  return strcmp(a, b);
}

int fl_user_strncmp(const char *a, const char *b, size_t most) {
  read_both(a, b, most);
  return strncmp(a, b, most);
}

int fl_user_memcmp(const void *a, const void *b, size_t size) {
  if (size) {
    uint32_t site = fl_site();
    fl_access(site, a, size);
    fl_log_range(site, b, size);
  }
  return memcmp(a, b, size);
}

void *fl_user_memchr(const void *s, int c, size_t size) {
  if (size) {
    uint32_t site = fl_site();
    fl_point(site | FL_RANGE, s, size);
    const char *found = memchr(s, c, size);
    fl_log_range(site, s, found ? (size_t)(found - (const char *)s) + 1 : size);
  }
  return memchr(s, c, size);
}

char *fl_user_strchr(const char *s, int c) {
  uint32_t site = fl_site();
  fl_point(site | FL_RANGE, s, 1);
  const char *found = strchr(s, c);
  fl_log_range(site, s, found ? (size_t)(found - s) + 1 : strlen(s) + 1);
  return (char *)found;
}

char *fl_user_strrchr(const char *s, int c) {
  read_string(fl_site(), s, WHOLE);
  return strrchr(s, c);
}

char *fl_user_strstr(const char *s, const char *part) {
  uint32_t site = fl_site();
  read_string(site, s, WHOLE);
  fl_log_range(site, part, strlen(part) + 1);
  return strstr(s, part);
}

char *fl_user_strdup(const char *s) {
  uint32_t site = fl_site();
  size_t size = read_string(site, s, WHOLE);
  char *copy = malloc(size);
  if (copy) {
    /* Others may have run in between. */
    fl_log_range(site, s, size);
    fl_log_range(site | FL_WROTE, copy, size);
    memcpy(copy, s, size);
  }
  return copy;
}

int fl_user_atoi(const char *s) {
  read_string(fl_site(), s, WHOLE);
  return atoi(s);
}

/* How much will be written is not known before; the point shows the first byte. */
static int format(char *to, size_t size, const char *pattern, va_list arguments) {
  uint32_t site = fl_site();
  if (size) fl_point(site | FL_WROTE | FL_RANGE, to, 1);
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
