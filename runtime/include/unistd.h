/* The system's unistd.h leaves out what it has no notion of. What the runtime does not provide is refused by name. */
#include_next <unistd.h>

#ifndef FAULTLINE_UNISTD_H
#define FAULTLINE_UNISTD_H

#ifndef _POSIX_SEMAPHORES
#define _POSIX_SEMAPHORES _POSIX_VERSION
#endif

#ifdef __cplusplus
extern "C" {
#endif

int pause(void);
int pipe(int[2]);
int pipe2(int[2], int);
unsigned alarm(unsigned);
pid_t fork(void);
int dup(int);
int dup2(int, int);
pid_t getppid(void);
pid_t gettid(void);
long syscall(long, ...);

#ifdef __cplusplus
}
#endif

#endif
