#ifndef SEM_H
#define SEM_H

#include <sem_type.h>

int sem_init(sem_t *sem, int count);
void sem_destroy(sem_t *sem);
void sem_wait(sem_t *sem);
void sem_signal(sem_t *sem);

#endif
