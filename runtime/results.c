/*
 * Functions of libc that leave results where their caller says, made visible as in stdio.c. Each call is one step, with
 * one preemption point before it.
 */
#include "host.h"
#include "ranges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The call is about to leave `size` bytes there. */
static void leaves(void *result, size_t size) {
  if (size) fl_point(fl_site() | FL_WROTE | FL_RANGE, result, size);
}

/* And did. */
static void left(void *result, size_t size) {
  if (size) fl_log_range(fl_site() | FL_WROTE, result, size);
}

/* Numbers. */

int fl_user_rand_r(unsigned *seed) {
  leaves(seed, sizeof *seed);
  fl_log_range(fl_site(), seed, sizeof *seed);
  left(seed, sizeof *seed);
  return rand_r(seed);
}

#define FL_SPLITTING(type, name, given, result)                                                                        \
  type fl_user_##name(given x, result *at) {                                                                           \
    fl_write(at, sizeof *at);                                                                                          \
    return name(x, at);                                                                                                \
  }

FL_SPLITTING(double, modf, double, double)
FL_SPLITTING(float, modff, float, float)
FL_SPLITTING(double, frexp, double, int)
FL_SPLITTING(float, frexpf, float, int)
FL_SPLITTING(double, lgamma_r, double, int)

double fl_user_remquo(double x, double y, int *at) {
  fl_write(at, sizeof *at);
  return remquo(x, y, at);
}

float fl_user_remquof(float x, float y, int *at) {
  fl_write(at, sizeof *at);
  return remquof(x, y, at);
}

/* Texts. */

static int print_new(char **result, const char *pattern, va_list arguments) {
  fl_read_arguments(fl_site(), pattern, arguments, 1);
  int length = vasprintf(result, pattern, arguments);
  if (length < 0) return length;
  left(result, sizeof *result);
  left(*result, (size_t)length + 1);
  return length;
}

int fl_user_vasprintf(char **result, const char *pattern, va_list arguments) {
  return print_new(result, pattern, arguments);
}

int fl_user_asprintf(char **result, const char *pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  int length = print_new(result, pattern, arguments);
  va_end(arguments);
  return length;
}

char *fl_user_getcwd(char *to, size_t size) {
  if (to && size) leaves(to, 1);
  char *result = getcwd(to, size);
  if (result && to) left(to, strlen(to) + 1);
  return result;
}

int fl_user_strerror_r(int error, char *to, size_t size) {
  if (size) leaves(to, 1);
  int result = strerror_r(error, to, size);
  if (size) left(to, strnlen(to, size - 1) + 1);
  return result;
}

int fl_user___xpg_strerror_r(int error, char *to, size_t size) { return fl_user_strerror_r(error, to, size); }

/* Who comes first gets the next line. */

ssize_t fl_user_getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict stream) {
  uint32_t site = fl_site();
  fl_stream(stream);
  fl_log_range(site, line, sizeof *line);
  fl_log_range(site, size, sizeof *size);
  ssize_t length = getdelim(line, size, end, stream);
  left(line, sizeof *line);
  left(size, sizeof *size);
  if (length >= 0) left(*line, (size_t)length + 1);
  return length;
}

ssize_t fl_user_getline(char **restrict line, size_t *restrict size, FILE *restrict stream) {
  return fl_user_getdelim(line, size, '\n', stream);
}

ssize_t fl_user___getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict stream) {
  return fl_user_getdelim(line, size, end, stream);
}
