/*
 * Programs that are compiled twice: for source mode, and as modules with threads of their own for raw mode. Each
 * prints the state it ends in. CASE chooses.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y, z;
static volatile int flag;
static atomic_int a, b;
struct pair {
  int first, second, third, fourth;
};

#if CASE == 1 /* an increment without a lock */
static void run(int i) {
  (void)i;
  x++;
}
#elif CASE == 2 /* with one */
static void run(int i) {
  pthread_mutex_lock(&m);
  x = 2 * x + i;
  pthread_mutex_unlock(&m);
}
#elif CASE == 3 /* store buffering */
static void run(int i) {
  if (i == 0) {
    a = 1;
    x = b;
  } else {
    b = 1;
    y = a;
  }
}
#elif CASE == 4 /* a flag */
static void run(int i) {
  if (i == 0) {
    while (!flag) {}
    y = x;
  } else {
    x = 7;
    flag = 1;
  }
}
#elif CASE == 5 /* a spin lock that yields */
static void run(int i) {
  while (atomic_exchange(&a, 1) != 0) sched_yield();
  x = 2 * x + i;
  atomic_store(&a, 0);
}
#elif CASE == 6 /* compare-exchange: who comes first decides */
static void run(int i) {
  int expected = i;
  x += atomic_compare_exchange_strong(&a, &expected, i + 1) ? 10 : 1;
}
#elif CASE == 7 /* locks in opposite orders */
static void run(int i) {
  pthread_mutex_lock(i ? &m : &n);
  pthread_mutex_lock(i ? &n : &m);
  x++;
  pthread_mutex_unlock(i ? &n : &m);
  pthread_mutex_unlock(i ? &m : &n);
}
#elif CASE == 8 /* a condition with its predicate */
static void run(int i) {
  pthread_mutex_lock(&m);
  if (i == 0) {
    while (!x) pthread_cond_wait(&c, &m);
    y = x;
  } else {
    x = 3;
    pthread_cond_signal(&c);
  }
  pthread_mutex_unlock(&m);
}
#elif CASE == 9 /* without: the signal may be lost */
static void run(int i) {
  pthread_mutex_lock(&m);
  if (i == 0) pthread_cond_wait(&c, &m);
  else pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
}
#elif CASE == 10 /* a local of main that both threads use */
static int *shared;
static void run(int i) { *shared = 2 * *shared + i + 1; }
#elif CASE == 11 /* a structure copied while it is written; in one word, wherever the linker puts it */
static _Alignas(8) struct pair from;
static void run(int i) {
  if (i == 0) {
    _Alignas(8) struct pair copy = from;
    x = 10 * copy.first + copy.second;
  } else {
    from.first = 1;
    from.second = 2;
  }
}
#elif CASE == 12 /* a pointer that is not there yet */
static int *pointer;
static void run(int i) {
  if (i == 0) y = *pointer;
  else pointer = &x;
}
#elif CASE == 13 /* atomics of every width and operator */
static _Atomic unsigned char byte = 250;
static _Atomic unsigned short half = 65530;
static _Atomic long long wide = -1;
static void run(int i) {
  int old = byte++;
  if (i == 0) {
    half += 10;
    wide ^= 5;
  } else {
    half -= 3;
    wide &= 0xfffffffff0ll;
    byte |= 1;
  }
  x = 10 * x + (old & 7);
  y = half;
  z = (int)(wide >> 4);
}
#elif CASE == 14 /* both try */
static void run(int i) {
  if (pthread_mutex_trylock(&m) == 0) {
    x = i + 1;
    pthread_mutex_unlock(&m);
  } else {
    y = i + 1;
  }
}
#elif CASE == 15 /* library functions on shared memory */
static char text[8];
static void run(int i) {
  if (i == 0) strcpy(text, "ab");
  else x = (int)strlen(text);
}
#elif CASE == 16 /* the order decides how the program ends */
static void run(int i) {
  if (i == 0) a = 1;
  else if (a) exit(3);
}
#elif CASE == 17 /* an assertion */
static void run(int i) {
  if (i == 0) x = 1;
  else assert(x == 0 || y == 0);
}
#elif CASE == 18 /* heap blocks handed over */
static _Atomic(int *) box;
static void run(int i) {
  if (i == 0) {
    int *block = malloc(sizeof *block);
    *block = 5;
    box = block;
  } else {
    int *block = box;
    x = block ? *block : -1;
  }
}
#elif CASE == 19 /* division */
static void run(int i) {
  if (i == 0) x = 1;
  else y = 10 / x;
}
#elif CASE == 20 /* unsigned loops, floats and 64 bits */
static double d = 0.5;
static long long l = 1;
static void run(int i) {
  for (unsigned k = 0; k < 2; k++) l = l * 3 + i;
  d = d * 2 + (double)l;
  x = (int)d;
}
#elif CASE == 21 /* a structure is copied */
typedef struct {
  long long first, second;
} pair;
static pair shared;
static void run(int i) {
  pair own = {1, 1};
  if (i == 0) shared = own;
  else {
    own = shared;
    x = (int)own.first, y = (int)own.second;
  }
}
#elif CASE == 22 /* sleeping */
#include <unistd.h>
static void run(int i) {
  usleep(i == 0 ? 5 : 1);
  if (i == 0) x = 1;
  else y = x;
}
#elif CASE == 23 /* updates that change nothing */
static void run(int i) {
  int expected = i;
  if (atomic_compare_exchange_strong(&a, &expected, i + 1)) x += 1;
  else y = expected + 1;
  if (atomic_exchange(&b, 1) == 0) z = i + 1;
}
#elif CASE == 24 /* text is printed while it changes */
static char text[] = "abc";
static void run(int i) {
  if (i == 0) text[1] = 'x';
  else printf("%s ", text);
}
#elif CASE == 25 /* a text is copied over another */
#include <string.h>
static _Alignas(8) char text[16] = "aaaaaaaaaaa", other[16];
static void run(int i) {
  if (i == 0) memset(text, 'b', 11);
  else {
    memcpy(other, text, 12);
    x = other[0], y = other[10];
  }
}
#endif

static void *start(void *argument) {
  run((int)(long)argument);
  return 0;
}

int main(void) {
  pthread_t threads[2];
#if CASE == 10
  int local = 0;
  shared = &local;
#endif
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, start, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
#if CASE == 10
  x = local;
#endif
  printf("%d %d %d", x, y, z);
  return 0;
}
