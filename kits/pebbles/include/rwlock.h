#ifndef RWLOCK_H
#define RWLOCK_H

#include <rwlock_type.h>

#define RWLOCK_READ 0
#define RWLOCK_WRITE 1

int rwlock_init(rwlock_t *rwlock);
void rwlock_destroy(rwlock_t *rwlock);
void rwlock_lock(rwlock_t *rwlock, int type);
void rwlock_unlock(rwlock_t *rwlock);
void rwlock_downgrade(rwlock_t *rwlock);

#endif
