/* Visible accesses of ranges, for the library functions that make several. */
#ifndef FL_RANGES_H
#define FL_RANGES_H

#include "fl.h"

#include <stdarg.h>
#include <string.h>

/* Writes a copy of a range whose reading has been logged with no point since; stops before the write. */
void fl_copy(uint32_t site, void *to, const void *from, size_t size);

/* What the compiler calls for copies of user code: one step, or a step for each word. */
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int value, size_t size);

/* Copies word by word. */
void fl_copy_words(uint32_t site, char *to, const char *from, size_t size);

/* Writes word by word: what is at `from`, which nobody else can change, or, if that is null, a value. */
void fl_write_words(uint32_t site, void *to, const char *from, int value, size_t size);

/* Logs what a printf with these arguments reads through pointers; stops before that if asked to. */
void fl_read_arguments(uint32_t site, const char *pattern, va_list arguments, int stops);

#endif
