/* Signals between threads. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "case.h"

static volatile sig_atomic_t got, by;
static int a, b, seen;
static pthread_t main_thread;

static void note(int number) { got = number; }
static void note_in_context(int number, siginfo_t *info, void *context) {
  (void)context;
  assert(info->si_signo == number && pthread_equal(pthread_self(), main_thread));
  by = info->si_code;
}

static void handle(int number, void (*handler)(int)) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  assert(sigaction(number, &action, NULL) == 0);
}

static sigset_t only(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  assert(sigismember(&set, number) == 1 && sigismember(&set, SIGINT) == (number == SIGINT));
  return set;
}

/* In its own thread a signal is handled at once; blocked, it waits. */
static void to_itself(void) {
  handle(SIGUSR1, note);
  assert(raise(SIGUSR1) == 0 && got == SIGUSR1);
  got = 0;
  sigset_t set = only(SIGUSR1), pending;
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  raise(SIGUSR1);
  assert(got == 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1);
  assert(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0 && got == SIGUSR1);
  assert(signal(SIGUSR1, SIG_IGN) == note && raise(SIGUSR1) == 0);
  assert(pthread_kill(pthread_self(), 0) == 0 && pthread_kill(pthread_self(), 99) == EINVAL);
  assert(sigaction(SIGKILL, &(struct sigaction){0}, NULL) == -1 && errno == EINVAL);
  sigset_t most;
  sigfillset(&most);
  sigdelset(&most, SIGUSR2);
  assert(sigprocmask(SIG_SETMASK, &most, &set) == 0 && sigismember(&set, SIGUSR1) == 0);
  struct sigaction once = {.sa_flags = SA_SIGINFO | SA_RESETHAND}, old;
  once.sa_sigaction = note_in_context;
  sigaction(SIGUSR2, &once, NULL);
  raise(SIGUSR2);
  assert(by == SI_TKILL && sigaction(SIGUSR2, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
}

static void see_half(int number) {
  (void)number;
  if (a != b) seen = 1;
}
static void *interrupt_main(void *unused) {
  pthread_kill(main_thread, SIGUSR1);
  return unused;
}

/* A handler can come between any two accesses of its thread. */
static void between_accesses(void) {
  handle(SIGUSR1, see_half);
  pthread_t other;
  pthread_create(&other, NULL, interrupt_main, NULL);
  a = 1;
  b = 1;
  pthread_join(other, NULL);
  assert(!seen);
}

/* ... unless its thread has blocked it. */
static void blocked_meanwhile(void) {
  sigset_t set = only(SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  between_accesses();
}

static void *wait_for_term(void *set) {
  int number = 0;
  assert(sigwait(set, &number) == 0 && number == SIGTERM);
  got = 1;
  return NULL;
}

/* Threads begin with what their creator blocks; one of them takes what is sent to the process. */
static void signal_thread(void) {
  sigset_t set = only(SIGTERM);
  pthread_t waiter;
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&waiter, NULL, wait_for_term, &set);
  assert(kill(getpid(), SIGTERM) == 0);
  pthread_join(waiter, NULL);
  assert(got);
}

static void *pause_until_got(void *unused) {
  while (!got) pause();
  return unused;
}
static void *suspend_until_got(void *set) {
  while (!got) assert(sigsuspend(set) == -1 && errno == EINTR);
  return NULL;
}

/* A signal that comes after the last look and before the pause is lost. */
static void lost_before_pause(void) {
  handle(SIGUSR1, note);
  pthread_t other;
  pthread_create(&other, NULL, pause_until_got, NULL);
  pthread_kill(other, SIGUSR1);
  pthread_join(other, NULL);
}
static void suspended(void) {
  handle(SIGUSR1, note);
  sigset_t set = only(SIGUSR1), none;
  sigemptyset(&none);
  pthread_t other;
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&other, NULL, suspend_until_got, &none);
  pthread_kill(other, SIGUSR1);
  pthread_join(other, NULL);
}

static void *sleep_long(void *unused) {
  if (sleep(5) == 0) a = 1;
  return unused;
}

/* Whether a sleep is interrupted is up to the schedule. */
static void interrupted_sleep(void) {
  handle(SIGUSR1, note);
  pthread_t other;
  pthread_create(&other, NULL, sleep_long, NULL);
  pthread_kill(other, SIGUSR1);
  pthread_join(other, NULL);
  assert(a == 1);
}

/* Nobody handles it: the program ends. */
static void unhandled(void) { raise(SIGTERM); }

static sem_t posted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void post(int number) {
  (void)number;
  sem_post(&posted);
}
static void look_whether_free(int number) {
  if (pthread_mutex_trylock(&lock) == 0) {
    seen = 1;
    pthread_mutex_unlock(&lock);
  }
  post(number);
}
static void begin_posting(void (*handler)(int), int flags) {
  struct sigaction action = {.sa_flags = flags};
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&posted, 0, 0);
}

static void *wait_for_post(void *unused) {
  assert(sem_wait(&posted) == 0);
  return unused;
}
/* Starts the thread, has it handle a signal, and waits for its end. */
static void signal_to(void *(*function)(void *)) {
  pthread_t other;
  pthread_create(&other, NULL, function, NULL);
  pthread_kill(other, SIGUSR1);
  pthread_join(other, NULL);
}

/* A wait that its own thread's handler ends. */
static void ended_by_handler(void) {
  begin_posting(post, SA_RESTART);
  signal_to(wait_for_post);
}
/* ... or interrupts. */
static void interrupted_wait(void) {
  begin_posting(post, 0);
  signal_to(wait_for_post);
}

static void *take_lock(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}
/* Who holds the lock waits for the handler of who waits for it. */
static void handled_before_lock(void) {
  begin_posting(post, SA_RESTART);
  pthread_t other;
  pthread_mutex_lock(&lock);
  pthread_create(&other, NULL, take_lock, NULL);
  pthread_kill(other, SIGUSR1);
  sem_wait(&posted);
  pthread_mutex_unlock(&lock);
  pthread_join(other, NULL);
}

static void *wait_for_change(void *unused) {
  pthread_mutex_lock(&lock);
  while (!a) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}
/* The same of who waits on a condition variable; the handler may find the mutex free. */
static void handled_in_condition(void) {
  begin_posting(look_whether_free, SA_RESTART);
  pthread_t other;
  pthread_create(&other, NULL, wait_for_change, NULL);
  pthread_kill(other, SIGUSR1);
  sem_wait(&posted);
  pthread_mutex_lock(&lock);
  a = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(other, NULL);
  assert(!seen);
}

static void *join_in_turn(void *unused) {
  pthread_t other;
  pthread_create(&other, NULL, wait_for_post, NULL);
  pthread_join(other, NULL);
  return unused;
}
/* Who joins a thread that waits for the handler of who joins it. */
static void handled_in_join(void) {
  begin_posting(post, SA_RESTART);
  signal_to(join_in_turn);
}

static void *unblock_and_wait(void *set) {
  pthread_sigmask(SIG_UNBLOCK, set, NULL);
  return wait_for_post(NULL);
}
/* What the sender blocks is for who does not. */
static void sent_to_process(void) {
  begin_posting(post, SA_RESTART);
  pthread_t other;
  sigset_t set = only(SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&other, NULL, unblock_and_wait, &set);
  kill(getpid(), SIGUSR1);
  pthread_join(other, NULL);
}

/* A signal that nobody takes ends no wait. */
static void blocked_for_ever(void) {
  begin_posting(post, SA_RESTART);
  sigset_t set = only(SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  signal_to(wait_for_post);
}

/* A signal that does nothing for the wait ends none either. */
static void handled_for_nothing(void) {
  handle(SIGUSR1, note);
  sem_init(&posted, 0, 0);
  pthread_mutex_lock(&lock);
  signal_to(take_lock);
}

static pthread_barrier_t barrier;
static void *arrive(void *unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}
static void signal_at_barrier(void) {
  begin_posting(post, SA_RESTART);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t other;
  pthread_create(&other, NULL, arrive, NULL);
  pthread_kill(other, SIGUSR1);
  sem_wait(&posted);
  pthread_barrier_wait(&barrier);
  pthread_join(other, NULL);
}

int main(int argc, char **argv) {
  static void (*const cases[])(void) = {
      to_itself,        between_accesses,    blocked_meanwhile,    signal_thread,   lost_before_pause,
      suspended,        interrupted_sleep,   unhandled,            ended_by_handler, interrupted_wait,
      handled_before_lock, handled_in_condition, handled_in_join,  sent_to_process, blocked_for_ever,
      handled_for_nothing, signal_at_barrier};
  choose_case(argc, argv);
  main_thread = pthread_self();
  cases[CASE]();
  return 0;
}
