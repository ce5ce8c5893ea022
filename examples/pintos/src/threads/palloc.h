#ifndef THREADS_PALLOC_H
#define THREADS_PALLOC_H

enum palloc_flags { PAL_ASSERT = 1, PAL_ZERO = 2, PAL_USER = 4 };

void *palloc_get_page(enum palloc_flags flags);
void palloc_free_page(void *page);

#endif
