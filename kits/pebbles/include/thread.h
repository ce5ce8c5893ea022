#ifndef THREAD_H
#define THREAD_H

#if __has_include(<thr_internals.h>)
#include <thr_internals.h>
#endif

int thr_init(unsigned int size);
int thr_create(void *(*func)(void *), void *args);
int thr_join(int tid, void **statusp);
void thr_exit(void *status);
int thr_getid(void);
int thr_yield(int tid);

#endif
