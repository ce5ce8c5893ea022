/*
 * The scanf family: what one call reads, and what it writes through its arguments, made visible as in stdio.c. All of it
 * is one step, before which there is one preemption point.
 */
#include "host.h"
#include "ranges.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* As many results of one call are logged; see fl_record. */
#define MOST_RESULTS 48

/* What a conversion of a scanf writes, and how long its numbers are. */
struct scanned {
  char what;
  /* 'H' for hh, 'q' for ll. */
  char length;
  _Bool is_skipped;
  _Bool allocates;
  size_t width;
  /* The place of its argument, `2$`, or 0. */
  int place;
};

/* After the percent sign; returns what comes next. */
static const char *scan_conversion(const char *f, struct scanned *c) {
  *c = (struct scanned){0};
  const char *digits = f;
  while (*digits >= '0' && *digits <= '9') digits++;
  if (*digits == '$') {
    while (f < digits) c->place = c->place * 10 + (*f++ - '0');
    f++;
  }
  if (*f == '*') c->is_skipped = 1, f++;
  for (; *f >= '0' && *f <= '9'; f++) c->width = c->width * 10 + (size_t)(*f - '0');
  if (*f == 'm') c->allocates = 1, f++;
  while (*f && strchr("hljztL", *f)) {
    c->length = c->length == *f ? (*f == 'h' ? 'H' : 'q') : *f;
    f++;
  }
  c->what = *f;
  if (*f == 0) return f;
  if (*f++ != '[') return f;
  if (*f == '^') f++;
  if (*f == ']') f++;
  while (*f && *f != ']') f++;
  return *f ? f + 1 : f;
}

static size_t size_of_number(const struct scanned *c) {
  if (strchr("eEfFgGaA", c->what)) return c->length == 'L' ? sizeof(long double) : c->length == 'l' ? 8 : 4;
  switch (c->length) {
  case 'H': return 1;
  case 'h': return 2;
  case 'q':
  case 'j': return 8;
  default: return c->what == 'p' ? sizeof(void *) : 4;
  }
}

/* What the conversion wrote to its result. */
static size_t size_of_result(const struct scanned *c, const void *result) {
  size_t unit = c->length == 'l' || c->what == 'S' || c->what == 'C' ? sizeof(wchar_t) : 1;
  if (c->allocates) return sizeof(void *);
  switch (c->what) {
  case 'c':
  case 'C': return (c->width ? c->width : 1) * unit;
  case 's':
  case 'S':
  case '[': return unit == 1 ? strlen(result) + 1 : (wcslen(result) + 1) * unit;
  default: return size_of_number(c);
  }
}

/* Logs the first `count` results, and what %n wrote before and between them. */
static void log_results(uint32_t site, const char *f, va_list given, int count) {
  va_list results;
  int logged = 0;
  va_copy(results, given);
  while (*f) {
    struct scanned c;
    if (*f++ != '%') continue;
    f = scan_conversion(f, &c);
    if (c.what == '%' || c.what == 0 || c.is_skipped) continue;
    if (c.what != 'n' && count-- <= 0) break;
    if (c.place) {
      va_end(results);
      va_copy(results, given);
      for (int i = 1; i < c.place; i++) (void)va_arg(results, void *);
    }
    void *result = va_arg(results, void *);
    /* Whether a %n behind the last conversion was come to is not known: what is there was written, or might have been. */
    if (logged++ < MOST_RESULTS) fl_log_range(site | FL_WROTE, result, size_of_result(&c, result));
  }
  va_end(results);
}

static int scan_text(const char *s, const char *pattern, va_list arguments) {
  uint32_t site = fl_site();
  fl_point(site | FL_RANGE, s, strlen(s) + 1);
  fl_log_range(site, s, strlen(s) + 1);
  fl_log_range(site, pattern, strlen(pattern) + 1);
  int count = vsscanf(s, pattern, arguments);
  log_results(site, pattern, arguments, count);
  return count;
}

/* Who comes first gets what comes next. */
static int scan_stream(FILE *stream, const char *pattern, va_list arguments) {
  uint32_t site = fl_site();
  fl_stream(stream);
  fl_log_range(site, pattern, strlen(pattern) + 1);
  int count = vfscanf(stream, pattern, arguments);
  log_results(site, pattern, arguments, count);
  return count;
}

int fl_user_vsscanf(const char *s, const char *pattern, va_list arguments) { return scan_text(s, pattern, arguments); }

int fl_user_vfscanf(FILE *stream, const char *pattern, va_list arguments) {
  return scan_stream(stream, pattern, arguments);
}

int fl_user_vscanf(const char *pattern, va_list arguments) { return scan_stream(stdin, pattern, arguments); }

/* The same with the arguments themselves. */
#define FL_SCANNING(name, first, function, from)                                                                       \
  int fl_user_##name(first const char *pattern, ...) {                                                                 \
    va_list arguments;                                                                                                 \
    va_start(arguments, pattern);                                                                                      \
    int count = function(from, pattern, arguments);                                                                    \
    va_end(arguments);                                                                                                 \
    return count;                                                                                                      \
  }
#define FL_GIVEN(parameter) parameter,

FL_SCANNING(sscanf, FL_GIVEN(const char *s), scan_text, s)
FL_SCANNING(fscanf, FL_GIVEN(FILE *stream), scan_stream, stream)
FL_SCANNING(scanf, , scan_stream, stdin)
