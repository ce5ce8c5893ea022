/*
 * Runs programs given as arguments: the first value of x, then the code of each thread, numbers with commas between them.
 * tests/transactions/c-speculation.test.ts makes them from model programs and says what each instruction is.
 */
#include <__faultline_transactions.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#undef no_sanitize
#define UNSEEN __attribute__((no_sanitize("thread"), noinline))

enum { END, LOAD, STORE, STORE_NEXT, ADD, COMPARE, CHECK, UNLESS_EQUAL, JUMP, BEGIN, PERSIST, XEND, XABORT, XTEST, PRINT,
       LOCK, UNLOCK, FENCE, SET };
enum { R, Q, S, OTHER, REGISTERS };

static atomic_int memory[2];
static pthread_mutex_t m;
static int code[3][256], results[3][REGISTERS];

UNSEEN static int at(int thread, int place) { return code[thread][place]; }
UNSEEN static void keep(int thread, int r, int q, int s) {
  results[thread][R] = r;
  results[thread][Q] = q;
  results[thread][S] = s;
}

/* Registers are no memory, so that nobody is asked before they are accessed. */
#define put(name, value)          \
  do {                            \
    int result = (value);         \
    if ((name) == R) r = result;  \
    else if ((name) == Q) q = result; \
    else if ((name) == S) s = result; \
    else other = result;          \
  } while (0)
#define VARIABLE(n) (*(volatile int *)&memory[n])

static void *run(void *argument) {
  int self = (int)(long)argument;
  int r = 0, q = 0, s = 0, other = 0;
  for (int i = 0;;) {
    int op = at(self, i), a = at(self, i + 1), b = at(self, i + 2), c = at(self, i + 3);
    i += 4;
    switch (op) {
      case END: keep(self, r, q, s); return 0;
      case LOAD: put(b, VARIABLE(a)); break;
      case STORE: VARIABLE(a) = b; break;
      case STORE_NEXT: VARIABLE(a) = r + 1; break;
      case ADD: q = atomic_fetch_add(&memory[a], b); break;
      case COMPARE: {
        int found = b;
        atomic_compare_exchange_strong(&memory[a], &found, c);
        q = found;
        break;
      }
      case CHECK: assert(r != 2); break;
      case UNLESS_EQUAL: /* register a is not b */
        if ((a == R ? r : a == Q ? q : a == S ? s : other) != b) i = c;
        break;
      case JUMP: i = c; break;
      case BEGIN: put(a, fl_xbegin(0)); break;
      case PERSIST:
        while (fl_xbegin(1) != -1) {}
        break;
      case XEND: fl_xend(); break;
      case XABORT: fl_xabort(a); break;
      case XTEST: q = fl_xtest(); break;
      case PRINT: write(1, ".", 1); break;
      case LOCK: pthread_mutex_lock(&m); break;
      case UNLOCK: pthread_mutex_unlock(&m); break;
      case FENCE: atomic_thread_fence(memory_order_seq_cst); break;
      case SET: put(a, b); break;
    }
  }
}

UNSEEN static void read_code(int thread, char *text) {
  for (int i = 0; *text; i++) {
    code[thread][i] = (int)strtol(text, &text, 10);
    if (*text) text++;
  }
}

UNSEEN int main(int argc, char **argv) {
  pthread_mutexattr_t normal;
  pthread_mutexattr_init(&normal);
  pthread_mutexattr_settype(&normal, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&m, &normal);
  *(int *)&memory[0] = atoi(argv[1]);
  pthread_t threads[3];
  int count = argc - 2;
  for (int i = 0; i < count; i++) read_code(i, argv[i + 2]);
  for (int i = 0; i < count; i++) pthread_create(&threads[i], 0, run, (void *)(long)i);
  for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
  printf("x = %d\ny = %d\n", *(int *)&memory[0], *(int *)&memory[1]);
  for (int i = 0; i < count; i++)
    printf("t%d: q=%d r=%d s=%d\n", i, results[i][Q], results[i][R], results[i][S]);
  return 0;
}
