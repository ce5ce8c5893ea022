/* Signals between threads: runtime/signals.c. The system's header stops at what a program can send itself. */
#include_next <signal.h>

#ifndef FAULTLINE_SIGNAL_H
#define FAULTLINE_SIGNAL_H

#include <pthread.h>
#include <sys/types.h>
#include <time.h>
#include <__typedef_sigset_t.h>

/* Functions count from 1 here. */
#undef SIG_DFL
#undef SIG_IGN
#undef SIG_ERR
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))-2)
#define SIG_ERR ((void (*)(int))-1)

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000

#define SI_USER 0
#define SI_TKILL (-6)

union sigval {
  int sival_int;
  void *sival_ptr;
};

typedef struct {
  int si_signo, si_errno, si_code;
  pid_t si_pid;
  unsigned si_uid;
  void *si_addr;
  int si_status;
  union sigval si_value;
} siginfo_t;

struct sigaction {
  union {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, siginfo_t *, void *);
  } __sa_handler;
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};
#define sa_handler __sa_handler.sa_handler
#define sa_sigaction __sa_handler.sa_sigaction

typedef struct {
  void *ss_sp;
  int ss_flags;
  size_t ss_size;
} stack_t;

#ifdef __cplusplus
extern "C" {
#endif

int sigemptyset(sigset_t *);
int sigfillset(sigset_t *);
int sigaddset(sigset_t *, int);
int sigdelset(sigset_t *, int);
int sigismember(const sigset_t *, int);
int sigaction(int, const struct sigaction *, struct sigaction *);
int sigprocmask(int, const sigset_t *, sigset_t *);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
int pthread_kill(pthread_t, int);
int kill(pid_t, int);
int sigwait(const sigset_t *, int *);
int sigsuspend(const sigset_t *);
int sigpending(sigset_t *);

/* Refused by name. */
int killpg(pid_t, int);
int sigaltstack(const stack_t *, stack_t *);
int sigqueue(pid_t, int, union sigval);
int sigwaitinfo(const sigset_t *, siginfo_t *);
int sigtimedwait(const sigset_t *, siginfo_t *, const struct timespec *);

#ifdef __cplusplus
}
#endif

#endif
