/* As everywhere, and what lies below a thread library's own allocator. */
#include_next <stdlib.h>

#ifndef PEBBLES_STDLIB_H
#define PEBBLES_STDLIB_H

void *_malloc(size_t size);
void *_calloc(size_t count, size_t size);
void *_realloc(void *block, size_t size);
void _free(void *block);

#endif
