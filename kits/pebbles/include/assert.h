/* As everywhere, and what stops a program. */
#include_next <assert.h>

#ifndef PEBBLES_ASSERT_H
#define PEBBLES_ASSERT_H

void panic(const char *format, ...);
#define affirm(condition) assert(condition)
#define affirm_msg(condition, ...) assert(condition)

#endif
