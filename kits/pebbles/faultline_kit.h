/*
 * Included before every file. The kit has these functions itself, and its own come first: what else is in the files that
 * define them again is used all the same.
 */
#ifndef FAULTLINE_KIT_H
#define FAULTLINE_KIT_H

/* No warnings where a file uses none of them. */
#pragma GCC system_header

#pragma weak panic
#pragma weak own_malloc
#pragma weak own_calloc
#pragma weak own_realloc
#pragma weak own_free
#pragma weak _malloc
#pragma weak _calloc
#pragma weak _realloc
#pragma weak _free

#endif
