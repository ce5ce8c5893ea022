/*
 * Signals between the threads of the program. Each thread has a word of those that were sent to it and have not been taken;
 * what a thread does with them happens in its own context: in calls that wait for signals or may be interrupted by them, and
 * before every access to memory of sources that are compiled for it (toolchain/signals.ts).
 */
#include "host.h"
#include <signal.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The machine's own: fl_atomic_wait may be that of waits/waits.c, which takes signals. */
FL_HOST(fl_atomic_wait) void fl_wait_for_sent(const volatile void *address, const void *expected, size_t size);
FL_HOST(fl_atomic_notify) void fl_atomic_notify(const volatile void *address, int all);
/*
 * Sets which signals the calling thread blocks; those it creates begin with the same. Returns what it was. The machine
 * is told where the words are that say what was sent.
 */
FL_HOST(fl_block_signals) uint32_t fl_block_signals(uint32_t set, const uint32_t *sent);

/* Handles of threads count from 1; signals of real time are not provided. */
#define FL_MOST_TARGETS 256
#define FL_LAST_SIGNAL 31
#define FL_BIT(signal) (1u << (signal))
#define FL_UNBLOCKABLE (FL_BIT(SIGKILL) | FL_BIT(SIGSTOP))

/* By thread; the first is for the process: whoever does not block them takes them. */
static uint32_t fl_sent[FL_MOST_TARGETS + 1];
static struct sigaction fl_actions[FL_LAST_SIGNAL + 1];
static _Thread_local uint32_t fl_blocked;
static _Thread_local _Bool fl_knows_blocked;

static uint32_t *fl_own_signals(void) { return &fl_sent[(int)pthread_self()]; }

/* Those of a thread that was created are its creator's. */
static uint32_t fl_blocked_signals(void) {
  if (!fl_knows_blocked) {
    fl_blocked = fl_block_signals(0, fl_sent);
    fl_block_signals(fl_blocked, fl_sent);
    fl_knows_blocked = 1;
    fl_name_numbered(fl_own_signals(), sizeof(uint32_t), "signals sent to thread ", (int)pthread_self());
  }
  return fl_blocked;
}

static void fl_set_blocked(uint32_t set) {
  fl_blocked_signals();
  fl_blocked = set & ~FL_UNBLOCKABLE;
  fl_block_signals(fl_blocked, fl_sent);
}

static uint32_t fl_look(uint32_t *word) {
  fl_touch(word, 0);
  return *word;
}

/* One step; returns what there was before. */
static uint32_t fl_change(uint32_t *word, uint32_t add, uint32_t remove) {
  fl_touch(word, 1);
  uint32_t old = *word;
  *word = (old | add) & ~remove;
  return old;
}

static _Bool fl_is_signal(int signal) { return signal >= 1 && signal <= FL_LAST_SIGNAL; }

static int fl_signal_error(int error) {
  errno = error;
  return -1;
}

/* What is set for a signal is read and written in one step, as by a system. */
static struct sigaction fl_change_action(int signal, const struct sigaction *action) {
  if (action) fl_name_numbered(&fl_actions[signal], sizeof *action, "handler of signal ", signal);
  fl_touch(&fl_actions[signal], action != 0);
  struct sigaction old = fl_actions[signal];
  if (action) fl_actions[signal] = *action;
  return old;
}

static _Bool fl_is_ignored_by_default(int signal) {
  return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

/* What handling signals may lead to: a handler ran; one that interrupts waits, even those that can be restarted. */
#define FL_HANDLED 1
#define FL_INTERRUPTED 2

/* Does what is set for a signal. */
static int fl_handle(int signal, int code) {
  struct sigaction action = fl_change_action(signal, 0);
  if (action.sa_handler == SIG_IGN) return 0;
  if (action.sa_handler == SIG_DFL) {
    if (fl_is_ignored_by_default(signal)) return 0;
    if (signal == SIGABRT) abort();
    _Exit(128 + signal);
  }
  if (action.sa_flags & SA_RESETHAND) {
    struct sigaction standard = {0};
    fl_change_action(signal, &standard);
  }
  uint32_t before = fl_blocked_signals();
  int error = errno;
  fl_set_blocked(before | action.sa_mask.__bits[0] | (action.sa_flags & SA_NODEFER ? 0 : FL_BIT(signal)));
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t info = {.si_signo = signal, .si_code = code, .si_pid = getpid()};
    action.sa_sigaction(signal, &info, 0);
  } else
    action.sa_handler(signal);
  fl_set_blocked(before);
  errno = error;
  return action.sa_flags & SA_RESTART ? FL_HANDLED : FL_HANDLED | FL_INTERRUPTED;
}

/* Takes one of these signals that was sent to the calling thread or to the process; 0 if there is none. */
static int fl_take(uint32_t wanted, int *code) {
  uint32_t *words[] = {fl_own_signals(), &fl_sent[0]};
  for (int i = 0; i < 2; i++) {
    uint32_t found = fl_look(words[i]) & wanted;
    if (!found) continue;
    int signal = __builtin_ctz(found);
    *code = i == 0 ? SI_TKILL : SI_USER;
    if (fl_change(words[i], 0, FL_BIT(signal)) & FL_BIT(signal)) return signal;
  }
  return 0;
}

static int fl_take_signals(void) {
  int handled = 0;
  int signal, code;
  while ((signal = fl_take(~fl_blocked_signals(), &code))) handled |= fl_handle(signal, code);
  return handled;
}

/* The program sends signals: set before main does anything, so that programs that do not are not asked. */
static _Bool fl_uses_signals;

/* For waits/waits.c. Whether a wait that can be restarted is interrupted. */
_Bool fl_take_signals_now(void) {
  fl_uses_signals = 1;
  return (fl_take_signals() & FL_INTERRUPTED) != 0;
}

/* Counts what was sent: whoever waits for a signal waits for a change. */
static uint32_t fl_sent_count;

static void fl_name_count(void) { fl_name_object(&fl_sent_count, sizeof fl_sent_count, "signals sent"); }

static void fl_send(int target, int signal) {
  fl_name_count();
  fl_change(&fl_sent[target], FL_BIT(signal), 0);
  fl_touch(&fl_sent_count, 1);
  fl_sent_count++;
  fl_atomic_notify(&fl_sent_count, 1);
}

FL_WEAK int pthread_kill(pthread_t thread, int signal) {
  int target = (int)thread;
  if (target < 1 || target > FL_MOST_TARGETS) return ESRCH;
  if (signal == 0) return 0;
  if (!fl_is_signal(signal)) return EINVAL;
  if (thread == pthread_self() && !(fl_blocked_signals() & FL_BIT(signal))) {
    fl_handle(signal, SI_TKILL);
    return 0;
  }
  fl_send(target, signal);
  return 0;
}

int __wrap_raise(int signal) {
  int error = pthread_kill(pthread_self(), signal);
  return error ? fl_signal_error(error) : 0;
}

FL_WEAK int kill(pid_t process, int signal) {
  if (process != 0 && process != getpid()) return fl_signal_error(ESRCH);
  if (signal == 0) return 0;
  if (!fl_is_signal(signal)) return fl_signal_error(EINVAL);
  if (!(fl_blocked_signals() & FL_BIT(signal))) {
    fl_handle(signal, SI_USER);
    return 0;
  }
  fl_send(0, signal);
  return 0;
}

FL_WEAK int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
  if (!fl_is_signal(signal) || (action && (FL_BIT(signal) & FL_UNBLOCKABLE))) return fl_signal_error(EINVAL);
  if (action) fl_read(action, sizeof *action);
  struct sigaction before = fl_change_action(signal, action);
  if (old) {
    fl_write(old, sizeof *old);
    *old = before;
  }
  return 0;
}

void (*__wrap_signal(int signal, void (*handler)(int)))(int) {
  struct sigaction old, action = {0};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

FL_WEAK int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  uint32_t before = fl_blocked_signals();
  if (set) {
    fl_read(set, sizeof *set);
    uint32_t given = set->__bits[0];
    if (how == SIG_BLOCK) fl_set_blocked(before | given);
    else if (how == SIG_UNBLOCK) fl_set_blocked(before & ~given);
    else if (how == SIG_SETMASK) fl_set_blocked(given);
    else return EINVAL;
  }
  if (old) {
    fl_write(old, sizeof *old);
    *old = (sigset_t){{before}};
  }
  fl_take_signals();
  return 0;
}

FL_WEAK int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int error = pthread_sigmask(how, set, old);
  return error ? fl_signal_error(error) : 0;
}

/* Waits until one of these signals has been sent to the calling thread or to the process, and takes it. */
static int fl_wait_for(uint32_t wanted, int *code, _Bool handles_others) {
  fl_name_count();
  for (;;) {
    uint32_t seen = fl_look(&fl_sent_count);
    int signal = fl_take(wanted, code);
    if (signal) return signal;
    if (handles_others && fl_take_signals()) continue;
    fl_wait_for_sent(&fl_sent_count, &seen, sizeof seen);
  }
}

FL_WEAK int sigwait(const sigset_t *set, int *signal) {
  int code;
  fl_read(set, sizeof *set);
  int taken = fl_wait_for(set->__bits[0], &code, 1);
  fl_write(signal, sizeof *signal);
  *signal = taken;
  return 0;
}

/* Until a handler has run. */
static int fl_suspend(uint32_t blocked) {
  fl_take_signals();
  uint32_t before = fl_blocked_signals();
  fl_set_blocked(blocked);
  int handled;
  do {
    int code, signal = fl_wait_for(~fl_blocked_signals(), &code, 0);
    handled = fl_handle(signal, code);
  } while (!handled);
  fl_set_blocked(before);
  return fl_signal_error(EINTR);
}

FL_WEAK int pause(void) { return fl_suspend(fl_blocked_signals()); }

FL_WEAK int sigsuspend(const sigset_t *set) {
  fl_read(set, sizeof *set);
  return fl_suspend(set->__bits[0]);
}

FL_WEAK int sigpending(sigset_t *set) {
  uint32_t sent = fl_look(fl_own_signals()) | fl_look(&fl_sent[0]);
  fl_write(set, sizeof *set);
  *set = (sigset_t){{sent & fl_blocked_signals()}};
  return 0;
}

static void fl_change_set(sigset_t *set, uint32_t add, uint32_t remove) {
  fl_write(set, sizeof *set);
  set->__bits[0] = (set->__bits[0] | add) & ~remove;
}

FL_WEAK int sigemptyset(sigset_t *set) {
  fl_write(set, sizeof *set);
  *set = (sigset_t){{0}};
  return 0;
}

FL_WEAK int sigfillset(sigset_t *set) {
  fl_write(set, sizeof *set);
  *set = (sigset_t){{~1ul, ~0ul}};
  return 0;
}

FL_WEAK int sigaddset(sigset_t *set, int signal) {
  if (!fl_is_signal(signal)) return fl_signal_error(EINVAL);
  fl_change_set(set, FL_BIT(signal), 0);
  return 0;
}

FL_WEAK int sigdelset(sigset_t *set, int signal) {
  if (!fl_is_signal(signal)) return fl_signal_error(EINVAL);
  fl_change_set(set, 0, FL_BIT(signal));
  return 0;
}

FL_WEAK int sigismember(const sigset_t *set, int signal) {
  if (!fl_is_signal(signal)) return fl_signal_error(EINVAL);
  fl_read(set, sizeof *set);
  return (set->__bits[0] & FL_BIT(signal)) != 0;
}

/* At the end of a call that a signal may interrupt: whether one did. */
static _Bool fl_is_interrupted(void) { return fl_uses_signals && fl_take_signals() != 0; }

/* Where the compiler calls these, a signal to the calling thread is taken before each access to memory. */
static void fl_take_own(void) {
  fl_uses_signals = 1;
  uint32_t blocked = fl_blocked_signals();
  uint32_t sent = fl_look(fl_own_signals()) & ~blocked;
  if (sent) fl_take_signals();
}

#define FL_BEFORE_ACCESS(kind, size)                                                                                   \
  __attribute__((weak)) void __sanitizer_cov_##kind##size(const void *address) {                                       \
    (void)address;                                                                                                     \
    fl_take_own();                                                                                                     \
  }
FL_BEFORE_ACCESS(load, 1)
FL_BEFORE_ACCESS(load, 2)
FL_BEFORE_ACCESS(load, 4)
FL_BEFORE_ACCESS(load, 8)
FL_BEFORE_ACCESS(load, 16)
FL_BEFORE_ACCESS(store, 1)
FL_BEFORE_ACCESS(store, 2)
FL_BEFORE_ACCESS(store, 4)
FL_BEFORE_ACCESS(store, 8)
FL_BEFORE_ACCESS(store, 16)
