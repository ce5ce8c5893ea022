#ifndef COND_H
#define COND_H

/* In this order, as in the handout: the types of some libraries rely on it. */
#include <mutex.h>
#include <cond_type.h>

int cond_init(cond_t *cv);
void cond_destroy(cond_t *cv);
void cond_wait(cond_t *cv, mutex_t *mp);
void cond_signal(cond_t *cv);
void cond_broadcast(cond_t *cv);

#endif
