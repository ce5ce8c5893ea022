/*
 * A small pthread library on nothing but wasi.thread-spawn, atomics and waiting on addresses, as the libraries of real
 * modules are made: threads with stacks from a pool, joining, mutexes of three states (Drepper, "Futexes Are Tricky"),
 * condition variables that count.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define FOREVER (-1ll)
#define THREADS 6
#define STACK 4096

struct thread {
  void *stack;
  void *(*start)(void *);
  void *argument;
  void *result;
  _Atomic int done;
};

static struct thread pool[THREADS];
static _Alignas(16) char stacks[THREADS][STACK];
static _Atomic int used;

__attribute__((import_module("wasi"), import_name("thread-spawn"))) int raw_spawn(struct thread *thread);

/* A thread begins without a stack of its own. */
__asm__(".globaltype __stack_pointer, i32\n"
        ".globl wasi_thread_start\n"
        ".type wasi_thread_start,@function\n"
        ".export_name wasi_thread_start, wasi_thread_start\n"
        "wasi_thread_start:\n"
        "  .functype wasi_thread_start (i32, i32) -> ()\n"
        "  local.get 1\n"
        "  i32.load 0\n"
        "  global.set __stack_pointer\n"
        "  local.get 1\n"
        "  call raw_run\n"
        "  end_function\n");
extern void wasi_thread_start(int number, void *argument);
__attribute__((used)) static void *const keep = (void *)wasi_thread_start;

static void wait_while(_Atomic int *word, int value) {
  __builtin_wasm_memory_atomic_wait32((int *)word, value, FOREVER);
}

static void notify(_Atomic int *word, unsigned count) { __builtin_wasm_memory_atomic_notify((int *)word, count); }

__attribute__((used)) void raw_run(struct thread *thread) {
  thread->result = thread->start(thread->argument);
  thread->done = 1;
  notify(&thread->done, 1);
}

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  (void)attributes;
  int index = used++;
  if (index >= THREADS) return 6;
  struct thread *thread = &pool[index];
  thread->stack = stacks[index] + STACK;
  thread->start = start;
  thread->argument = argument;
  *handle = (pthread_t)thread;
  return raw_spawn(thread) < 0 ? 6 : 0;
}

int pthread_join(pthread_t handle, void **result) {
  struct thread *thread = (struct thread *)handle;
  while (thread->done == 0) wait_while(&thread->done, 0);
  if (result) *result = thread->result;
  return 0;
}

/* 0 free, 1 taken, 2 taken and somebody may wait. */
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  _Atomic int *state = (_Atomic int *)mutex;
  int found = 0;
  if (atomic_compare_exchange_strong(state, &found, 1)) return 0;
  if (found != 2) found = atomic_exchange(state, 2);
  while (found != 0) {
    wait_while(state, 2);
    found = atomic_exchange(state, 2);
  }
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  int found = 0;
  return atomic_compare_exchange_strong((_Atomic int *)mutex, &found, 1) ? 0 : 10;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  _Atomic int *state = (_Atomic int *)mutex;
  if (atomic_fetch_sub(state, 1) == 1) return 0;
  *state = 0;
  notify(state, 1);
  return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  _Atomic int *count = (_Atomic int *)condition;
  int seen = *count;
  pthread_mutex_unlock(mutex);
  wait_while(count, seen);
  pthread_mutex_lock(mutex);
  return 0;
}

int pthread_cond_signal(pthread_cond_t *condition) {
  ++*(_Atomic int *)condition;
  notify((_Atomic int *)condition, 1);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  ++*(_Atomic int *)condition;
  notify((_Atomic int *)condition, ~0u);
  return 0;
}
