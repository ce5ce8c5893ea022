/* What <wchar.h> and conversions to it do to memory, made visible as in strings.c; one step for each call. */
#include "ranges.h"

#include <stdlib.h>
#include <wchar.h>

static size_t wide_size(const wchar_t *s) { return (wcslen(s) + 1) * sizeof *s; }

static size_t wide_size_within(const wchar_t *s, size_t most) {
  size_t n = wcsnlen(s, most);
  return (n < most ? n + 1 : n) * sizeof *s;
}

/* Reads a string. */
static void read_wide(uint32_t site, const wchar_t *s) {
  fl_point(site | FL_RANGE, s, wide_size(s));
  fl_log_range(site, s, wide_size(s));
}

static void read_two(const wchar_t *a, const wchar_t *b) {
  uint32_t site = fl_site();
  read_wide(site, a);
  fl_log_range(site, b, wide_size(b));
}

size_t fl_user_wcslen(const wchar_t *s) {
  read_wide(fl_site(), s);
  return wcslen(s);
}

size_t fl_user_wcsnlen(const wchar_t *s, size_t most) {
  uint32_t site = fl_site();
  if (most == 0) return 0;
  fl_point(site | FL_RANGE, s, wide_size_within(s, most));
  fl_log_range(site, s, wide_size_within(s, most));
  return wcsnlen(s, most);
}

int fl_user_wcscmp(const wchar_t *a, const wchar_t *b) {
  read_two(a, b);
  return wcscmp(a, b);
}

int fl_user_wcsncmp(const wchar_t *a, const wchar_t *b, size_t most) {
  uint32_t site = fl_site();
  if (most == 0) return 0;
  fl_point(site | FL_RANGE, a, wide_size_within(a, most));
  fl_log_range(site, a, wide_size_within(a, most));
  fl_log_range(site, b, wide_size_within(b, most));
  return wcsncmp(a, b, most);
}

/* In C++ also what finds a number of that size among others: std::find. */
wchar_t *fl_user_wmemchr(const wchar_t *s, wchar_t c, size_t count) {
  uint32_t site = fl_site();
  if (count == 0) return 0;
  fl_point(site | FL_RANGE, s, count * sizeof *s);
  wchar_t *found = wmemchr(s, c, count);
  fl_log_range(site, s, (found ? (size_t)(found - s) + 1 : count) * sizeof *s);
  return found;
}

wchar_t *fl_user_wcschr(const wchar_t *s, wchar_t c) {
  read_wide(fl_site(), s);
  return wcschr(s, c);
}

wchar_t *fl_user_wcsrchr(const wchar_t *s, wchar_t c) {
  read_wide(fl_site(), s);
  return wcsrchr(s, c);
}

wchar_t *fl_user_wcsstr(const wchar_t *s, const wchar_t *part) {
  read_two(s, part);
  return wcsstr(s, part);
}

wchar_t *fl_user_wcscpy(wchar_t *to, const wchar_t *from) {
  uint32_t site = fl_site();
  read_wide(site, from);
  fl_copy(site, to, from, wide_size(from));
  return to;
}

wchar_t *fl_user_wcsncpy(wchar_t *to, const wchar_t *from, size_t size) {
  uint32_t site = fl_site();
  if (size == 0) return to;
  fl_point(site | FL_RANGE, from, wide_size_within(from, size));
  fl_log_range(site, from, wide_size_within(from, size));
  fl_log_range(site | FL_WROTE, to, size * sizeof *to);
  return wcsncpy(to, from, size);
}

wchar_t *fl_user_wcscat(wchar_t *to, const wchar_t *from) {
  uint32_t site = fl_site();
  read_wide(site, to);
  fl_log_range(site, from, wide_size(from));
  fl_log_range(site | FL_WROTE, to + wcslen(to), wide_size(from));
  return wcscat(to, from);
}

wchar_t *fl_user_wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
  return __tsan_memmove(to, from, count * sizeof *to);
}

wchar_t *fl_user_wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
  return __tsan_memmove(to, from, count * sizeof *to);
}

wchar_t *fl_user_wmemset(wchar_t *to, wchar_t value, size_t count) {
  fl_write(to, count * sizeof *to);
  return wmemset(to, value, count);
}

int fl_user_wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
  if (count) {
    uint32_t site = fl_site();
    fl_access(site, a, count * sizeof *a);
    fl_log_range(site, b, count * sizeof *b);
  }
  return wmemcmp(a, b, count);
}

/* How much is written is known afterwards; the point shows the text that is read. */

size_t fl_user_mbstowcs(wchar_t *restrict to, const char *restrict from, size_t size) {
  uint32_t site = fl_site();
  fl_point(site | FL_RANGE, from, strlen(from) + 1);
  fl_log_range(site, from, strlen(from) + 1);
  size_t n = mbstowcs(to, from, size);
  if (to && n != (size_t)-1) fl_log_range(site | FL_WROTE, to, (n < size ? n + 1 : n) * sizeof *to);
  return n;
}

size_t fl_user_wcstombs(char *restrict to, const wchar_t *restrict from, size_t size) {
  uint32_t site = fl_site();
  read_wide(site, from);
  size_t n = wcstombs(to, from, size);
  if (to && n != (size_t)-1) fl_log_range(site | FL_WROTE, to, n < size ? n + 1 : n);
  return n;
}
