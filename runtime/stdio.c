/*
 * What <stdio.h> and others read and write of the program's memory, made visible as in strings.c. Streams print and read
 * on without being logged themselves, except that reading one moves it for all threads.
 *
 * Everything one call reads is read in one step: what libc does cannot be interrupted.
 */
#include "host.h"
#include "ranges.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* As many strings of one call are logged; see fl_record. */
#define MOST_STRINGS 48

/* What a conversion takes, and how long that is. */
struct conversion {
  char what;
  /* 'H' for hh, 'q' for ll. */
  char length;
  int precision;
};

static const char *read_number(const char *f, va_list *arguments, int *number) {
  if (*f == '*') {
    *number = va_arg(*arguments, int);
    return f + 1;
  }
  for (*number = 0; *f >= '0' && *f <= '9'; f++) *number = *number * 10 + (*f - '0');
  return f;
}

/* After the percent sign; returns what comes next. */
static const char *read_conversion(const char *f, va_list *arguments, struct conversion *c) {
  int width;
  while (*f && strchr("-+ #0'", *f)) f++;
  f = read_number(f, arguments, &width);
  c->precision = -1;
  if (*f == '.') f = read_number(f + 1, arguments, &c->precision);
  c->length = 0;
  while (*f && strchr("hljztL", *f)) {
    c->length = c->length == *f ? (*f == 'h' ? 'H' : 'q') : *f;
    f++;
  }
  c->what = *f;
  return *f ? f + 1 : f;
}

static size_t string_size(const struct conversion *c, const void *s) {
  size_t most = c->precision < 0 ? (size_t)-1 : (size_t)c->precision;
  if (c->length == 'l' || c->what == 'S') {
    size_t n = 0;
    while (n < most && ((const wchar_t *)s)[n]) n++;
    return (n < most ? n + 1 : n) * sizeof(wchar_t);
  }
  size_t n = strnlen(s, most);
  return n < most ? n + 1 : n;
}

static size_t number_size(char length) {
  return length == 'H' ? 1 : length == 'h' ? 2 : length == 'q' || length == 'j' ? 8 : 4;
}

/* As many arguments may be named by their places, as POSIX says. */
#define MOST_PLACES 9

/* The place that a conversion names, `3$`, or 0. */
static int place_at(const char **f) {
  const char *end = *f;
  int place = 0;
  while (*end >= '0' && *end <= '9') place = place * 10 + (*end++ - '0');
  if (*end != '$' || place > MOST_PLACES) return 0;
  *f = end + 1;
  return place;
}

/* A width or precision that is an argument by its place: `*2$`; returns what comes next. */
static const char *place_of_number(const char *f, int *place) {
  *place = 0;
  if (*f == '*') {
    f++;
    *place = place_at(&f);
    return f;
  }
  while (*f >= '0' && *f <= '9') f++;
  return f;
}

/* The same for a pattern whose conversions name the places of their arguments. */
static const void *read_places(uint32_t site, const char *f, va_list given, int logs, size_t *size) {
  struct conversion at[MOST_PLACES + 1];
  int precision_at[MOST_PLACES + 1] = {0}, number[MOST_PLACES + 1] = {0};
  const void *pointer[MOST_PLACES + 1] = {0}, *first = 0;
  va_list arguments;
  for (int i = 0; i <= MOST_PLACES; i++) at[i] = (struct conversion){0, 0, -1};
  while (*f) {
    if (*f++ != '%') continue;
    if (*f == '%') {
      f++;
      continue;
    }
    int place = place_at(&f), width;
    while (*f && strchr("-+ #0'", *f)) f++;
    f = place_of_number(f, &width);
    if (width) at[width].what = 'd';
    const char *digits = *f == '.' ? f + 1 : 0;
    if (digits) f = place_of_number(digits, &precision_at[place]);
    if (precision_at[place]) at[precision_at[place]].what = 'd';
    /* The rest is as ever. */
    struct conversion c;
    f = read_conversion(f, 0, &c);
    c.precision = digits ? (int)strtol(digits, 0, 10) : -1;
    if (place) at[place] = c;
  }
  va_copy(arguments, given);
  for (int i = 1; i <= MOST_PLACES && at[i].what; i++) {
    if (strchr("eEfFgGaA", at[i].what)) {
      if (at[i].length == 'L') (void)va_arg(arguments, long double);
      else (void)va_arg(arguments, double);
    } else if (strchr("sSnp", at[i].what)) pointer[i] = va_arg(arguments, const void *);
    else if (at[i].length == 'q' || at[i].length == 'j') (void)va_arg(arguments, long long);
    else number[i] = va_arg(arguments, int);
  }
  va_end(arguments);
  for (int i = 1; i <= MOST_PLACES; i++) {
    if (!pointer[i] || at[i].what == 'p') continue;
    if (precision_at[i]) at[i].precision = number[precision_at[i]];
    if (at[i].what == 'n') {
      if (logs) fl_log_range(site | FL_WROTE, pointer[i], number_size(at[i].length));
      continue;
    }
    size_t n = string_size(&at[i], pointer[i]);
    if (n == 0) continue;
    if (first == 0) first = pointer[i], *size = n;
    if (logs) fl_log_range(site, pointer[i], n);
  }
  return first;
}

static int names_places(const char *f) {
  while ((f = strchr(f, '%'))) {
    f++;
    if (place_at(&f)) return 1;
    if (*f == '%') f++;
  }
  return 0;
}

/* Logs what a printf reads through pointers; or, if it is only to be found out, returns the first string. */
static const void *read_strings(uint32_t site, const char *f, va_list given, int logs, size_t *size) {
  va_list arguments;
  const void *first = 0;
  int strings = 0;
  if (names_places(f)) return read_places(site, f, given, logs, size);
  va_copy(arguments, given);
  while (*f) {
    struct conversion c;
    if (*f++ != '%') continue;
    f = read_conversion(f, &arguments, &c);
    switch (c.what) {
    case 's':
    case 'S': {
      const void *s = va_arg(arguments, const void *);
      size_t n = s ? string_size(&c, s) : 0;
      if (n == 0 || ++strings > MOST_STRINGS) break;
      if (first == 0) first = s, *size = n;
      if (logs) fl_log_range(site, s, n);
      break;
    }
    case 'n': {
      void *count = va_arg(arguments, void *);
      if (logs && count && ++strings <= MOST_STRINGS) fl_log_range(site | FL_WROTE, count, number_size(c.length));
      break;
    }
    case 'p':
      (void)va_arg(arguments, void *);
      break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      if (c.length == 'L')
        (void)va_arg(arguments, long double);
      else
        (void)va_arg(arguments, double);
      break;
    case '%':
    case 'm':
    case 0:
      break;
    default:
      if (c.length == 'q' || c.length == 'j')
        (void)va_arg(arguments, long long);
      else
        (void)va_arg(arguments, int);
    }
  }
  va_end(arguments);
  return first;
}

/*
 * Stops before the strings of a printf are read, unless a point has gone before, and logs them. So is the pattern, which mostly
 * is a constant, where nothing happens.
 */
void fl_read_arguments(uint32_t site, const char *pattern, va_list arguments, int stops) {
  size_t size = 0;
  if (stops) fl_point(site | FL_RANGE, pattern, strlen(pattern) + 1);
  fl_log_range(site, pattern, strlen(pattern) + 1);
  const void *first = read_strings(site, pattern, arguments, 0, &size);
  if (first && stops) fl_point(site | FL_RANGE, first, size);
  read_strings(site, pattern, arguments, 1, &size);
}

/* What is printed shows in the output; but what is written to a file may lie in a buffer that threads share. */
static void use(FILE *stream) {
  if (stream != stdout && stream != stderr) fl_stream(stream);
}

int fl_user_vfprintf(FILE *stream, const char *pattern, va_list arguments) {
  use(stream);
  fl_read_arguments(fl_site(), pattern, arguments, 1);
  return vfprintf(stream, pattern, arguments);
}

int fl_user_vprintf(const char *pattern, va_list arguments) {
  fl_read_arguments(fl_site(), pattern, arguments, 1);
  return vprintf(pattern, arguments);
}

int fl_user_printf(const char *pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  fl_read_arguments(fl_site(), pattern, arguments, 1);
  int result = vprintf(pattern, arguments);
  va_end(arguments);
  return result;
}

int fl_user_fprintf(FILE *stream, const char *pattern, ...) {
  va_list arguments;
  use(stream);
  va_start(arguments, pattern);
  fl_read_arguments(fl_site(), pattern, arguments, 1);
  int result = vfprintf(stream, pattern, arguments);
  va_end(arguments);
  return result;
}

static void read_text(const char *s) {
  uint32_t site = fl_site();
  fl_point(site | FL_RANGE, s, strlen(s) + 1);
  fl_log_range(site, s, strlen(s) + 1);
}

int fl_user_puts(const char *s) {
  read_text(s);
  return puts(s);
}

int fl_user_fputs(const char *s, FILE *stream) {
  use(stream);
  read_text(s);
  return fputs(s, stream);
}

void fl_user_perror(const char *s) {
  if (s) read_text(s);
  perror(s);
}

size_t fl_user_fwrite(const void *data, size_t size, size_t count, FILE *stream) {
  use(stream);
  fl_read(data, size * count);
  return fwrite(data, size, count, stream);
}

int fl_user_fputc(int c, FILE *stream) {
  use(stream);
  return fputc(c, stream);
}

int fl_user_putc(int c, FILE *stream) { return fl_user_fputc(c, stream); }

/* Files, which machine/files.ts keeps. */

FILE *fl_user_fopen(const char *name, const char *mode) {
  read_text(name);
  read_text(mode);
  FILE *stream = fopen(name, mode);
  if (stream) {
    char called[60];
    snprintf(called, sizeof called, "file %s", name);
    fl_name_object(stream, sizeof(int), called);
  }
  return stream;
}

int fl_user_fclose(FILE *stream) {
  use(stream);
  return fclose(stream);
}

int fl_user_fflush(FILE *stream) {
  if (stream) use(stream);
  return fflush(stream);
}

int fl_user_fseek(FILE *stream, long offset, int whence) {
  use(stream);
  return fseek(stream, offset, whence);
}

long fl_user_ftell(FILE *stream) {
  use(stream);
  return ftell(stream);
}

void fl_user_rewind(FILE *stream) {
  use(stream);
  rewind(stream);
}

int fl_user_remove(const char *name) {
  read_text(name);
  return remove(name);
}

int fl_user_unlink(const char *name) {
  read_text(name);
  return unlink(name);
}

int fl_user_rename(const char *name, const char *other) {
  read_text(name);
  read_text(other);
  return rename(name, other);
}

int fl_user_mkdir(const char *name, mode_t mode) {
  read_text(name);
  return mkdir(name, mode);
}

int fl_user_stat(const char *restrict name, struct stat *restrict result) {
  read_text(name);
  fl_write(result, sizeof *result);
  return stat(name, result);
}

/* Each by a name of its own; nobody else looks for it. */
FL_WEAK FILE *tmpfile(void) {
  static _Thread_local int count;
  char name[40];
  snprintf(name, sizeof name, "/tmp/file-%d-%d", (int)pthread_self(), ++count);
  return fopen(name, "w+");
}

/* For headers of the C++ library, and for accesses that no hook of the compiler's announces. */
void fl_reads(const void *address, size_t size) { fl_read(address, size); }
/* What was read is kept at once: others may run before the library comes to it. */
void fl_reads_into(void *copy, const void *address, size_t size) {
  fl_read(address, size);
  memcpy(copy, address, size);
}
void fl_writes(void *address, size_t size) { fl_write(address, size); }

/* Reading: who comes first gets what comes next. */

int fl_user_fgetc(FILE *stream) {
  fl_stream(stream);
  return fgetc(stream);
}

int fl_user_getc(FILE *stream) {
  fl_stream(stream);
  return fgetc(stream);
}

int fl_user_getchar(void) {
  fl_stream(stdin);
  return getchar();
}

int fl_user_ungetc(int c, FILE *stream) {
  fl_stream(stream);
  return ungetc(c, stream);
}

int fl_user_feof(FILE *stream) {
  use(stream);
  return feof(stream);
}

int fl_user_ferror(FILE *stream) {
  use(stream);
  return ferror(stream);
}

void fl_user_clearerr(FILE *stream) {
  use(stream);
  clearerr(stream);
}

char *fl_user_fgets(char *to, int size, FILE *stream) {
  uint32_t site = fl_site();
  fl_stream(stream);
  if (size > 0) fl_point(site | FL_WROTE | FL_RANGE, to, 1);
  char *result = fgets(to, size, stream);
  if (result) fl_log_range(site | FL_WROTE, to, strlen(to) + 1);
  return result;
}

size_t fl_user_fread(void *to, size_t size, size_t count, FILE *stream) {
  uint32_t site = fl_site();
  fl_stream(stream);
  if (size * count) fl_point(site | FL_WROTE | FL_RANGE, to, 1);
  size_t result = fread(to, size, count, stream);
  /* Of an element that did not come as a whole some may be there. */
  size_t written = result < count && size > 1 ? (result + 1) * size - 1 : result * size;
  if (written) fl_log_range(site | FL_WROTE, to, written);
  return result;
}

/* Of programs that have no pipes: those have descriptors of their own. */

ssize_t fl_user_read(int file, void *to, size_t size) {
  uint32_t site = fl_site();
  if (size) fl_point(site | FL_WROTE | FL_RANGE, to, 1);
  ssize_t count = read(file, to, size);
  if (count > 0) fl_log_range(site | FL_WROTE, to, (size_t)count);
  return count;
}

ssize_t fl_user_write(int file, const void *from, size_t size) {
  fl_read(from, size);
  return write(file, from, size);
}

/* Numbers in strings; where they end, nothing further is read, but no more than the whole string either. */

#define FL_NUMBER(type, name)                                                                                          \
  type fl_user_##name(const char *s, char **end, int base) {                                                           \
    read_text(s);                                                                                                      \
    if (end) fl_log_range(fl_site() | FL_WROTE, end, sizeof *end);                                                     \
    return name(s, end, base);                                                                                         \
  }
#define FL_REAL(type, name)                                                                                            \
  type fl_user_##name(const char *s, char **end) {                                                                     \
    read_text(s);                                                                                                      \
    if (end) fl_log_range(fl_site() | FL_WROTE, end, sizeof *end);                                                     \
    return name(s, end);                                                                                               \
  }
#define FL_PARSED(type, name)                                                                                          \
  type fl_user_##name(const char *s) {                                                                                 \
    read_text(s);                                                                                                      \
    return name(s);                                                                                                    \
  }

FL_NUMBER(long, strtol)
FL_NUMBER(unsigned long, strtoul)
FL_NUMBER(long long, strtoll)
FL_NUMBER(unsigned long long, strtoull)
FL_REAL(double, strtod)
FL_REAL(float, strtof)
FL_PARSED(long, atol)
FL_PARSED(long long, atoll)
FL_PARSED(double, atof)

/* Words of a string: strtok remembers for all threads where it is. */

static char *next_token(uint32_t site, char *s, const char *separators, char **rest) {
  fl_point(site | FL_WROTE | FL_RANGE, rest, sizeof *rest);
  fl_log_range(site, rest, sizeof *rest);
  fl_log_range(site, separators, strlen(separators) + 1);
  char *from = s ? s : *rest;
  if (from) fl_log_range(site, from, strlen(from) + 1);
  char *token = strtok_r(s, separators, rest);
  fl_log_range(site | FL_WROTE, rest, sizeof *rest);
  if (token && *rest && *rest > token && (*rest)[-1] == 0) fl_log_range(site | FL_WROTE, *rest - 1, 1);
  return token;
}

char *fl_user_strtok_r(char *s, const char *separators, char **rest) {
  return next_token(fl_site(), s, separators, rest);
}

char *fl_user_strtok(char *s, const char *separators) {
  static char *rest;
  return next_token(fl_site(), s, separators, &rest);
}

/* Times: what some of them return is one object for all threads. */

static void *returned(uint32_t site, void *result, size_t size) {
  if (result) fl_log_range(site | FL_WROTE, result, size);
  return result;
}

#define FL_TIME(type, name, taken, size)                                                                               \
  type *fl_user_##name(const taken *t) {                                                                               \
    uint32_t site = fl_site();                                                                                         \
    fl_access(site, t, sizeof *t);                                                                                     \
    type *result = name(t);                                                                                            \
    return returned(site, result, size);                                                                               \
  }

FL_TIME(struct tm, localtime, time_t, sizeof *result)
FL_TIME(struct tm, gmtime, time_t, sizeof *result)
FL_TIME(char, ctime, time_t, strlen(result) + 1)
FL_TIME(char, asctime, struct tm, strlen(result) + 1)

/* Into an object that the program gives. */
#define FL_TIME_INTO(name)                                                                                             \
  struct tm *fl_user_##name(const time_t *restrict t, struct tm *restrict result) {                                    \
    uint32_t site = fl_site();                                                                                         \
    fl_access(site, t, sizeof *t);                                                                                     \
    fl_access(site | FL_WROTE, result, sizeof *result);                                                                \
    return name(t, result);                                                                                            \
  }                                                                                                                    \
  struct tm *fl_user___##name(const time_t *restrict t, struct tm *restrict result) {                                  \
    return fl_user_##name(t, result);                                                                                  \
  }

FL_TIME_INTO(localtime_r)
FL_TIME_INTO(gmtime_r)

time_t fl_user_mktime(struct tm *t) {
  fl_read(t, sizeof *t);
  fl_log_range(fl_site() | FL_WROTE, t, sizeof *t);
  return mktime(t);
}

size_t fl_user_strftime(char *restrict to, size_t size, const char *restrict pattern, const struct tm *restrict t) {
  read_text(pattern);
  uint32_t site = fl_site();
  fl_access(site, t, sizeof *t);
  if (size > 0) fl_point(site | FL_WROTE | FL_RANGE, to, 1);
  size_t length = strftime(to, size, pattern, t);
  if (length > 0) fl_log_range(site | FL_WROTE, to, length + 1);
  return length;
}

time_t fl_user_time(time_t *result) {
  if (result) fl_write(result, sizeof *result);
  return time(result);
}

int fl_user_clock_gettime(clockid_t clock, struct timespec *result) {
  fl_write(result, sizeof *result);
  return clock_gettime(clock, result);
}

int fl_user_clock_getres(clockid_t clock, struct timespec *result) {
  if (result) fl_write(result, sizeof *result);
  return clock_getres(clock, result);
}

int fl_user_timespec_get(struct timespec *result, int base) {
  fl_write(result, sizeof *result);
  return timespec_get(result, base);
}

int fl_user_gettimeofday(struct timeval *result, void *zone) {
  if (result) fl_write(result, sizeof *result);
  return gettimeofday(result, zone);
}

int fl_user___clock_gettime(clockid_t clock, struct timespec *result) { return fl_user_clock_gettime(clock, result); }

/* Sorting: the comparisons are the program's, and logged as such; the moves are not. */
void fl_user_qsort(void *first, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  uint32_t site = fl_site();
  if (count * size) {
    fl_access(site, first, count * size);
    fl_log_range(site | FL_WROTE, first, count * size);
  }
  qsort(first, count, size, compare);
  if (count * size) {
    fl_access(site, first, count * size);
    fl_log_range(site | FL_WROTE, first, count * size);
  }
}
