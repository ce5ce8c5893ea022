/*
 * Programs that are compiled twice: for source mode, and as modules with threads of their own for raw mode. Each
 * prints the state it ends in. The number of arguments chooses.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y, z;
static volatile int flag;
static atomic_int a, b;
struct pair {
  int first, second, third, fourth;
};

/* 1: an increment without a lock */
static void run_1(int i) {
  (void)i;
  x++;
}

/* 2: with one */
static void run_2(int i) {
  pthread_mutex_lock(&m);
  x = 2 * x + i;
  pthread_mutex_unlock(&m);
}

/* 3: store buffering */
static void run_3(int i) {
  if (i == 0) {
    a = 1;
    x = b;
  } else {
    b = 1;
    y = a;
  }
}

/* 4: a flag */
static void run_4(int i) {
  if (i == 0) {
    while (!flag) {}
    y = x;
  } else {
    x = 7;
    flag = 1;
  }
}

/* 5: a spin lock that yields */
static void run_5(int i) {
  while (atomic_exchange(&a, 1) != 0) sched_yield();
  x = 2 * x + i;
  atomic_store(&a, 0);
}

/* 6: compare-exchange: who comes first decides */
static void run_6(int i) {
  int expected = i;
  x += atomic_compare_exchange_strong(&a, &expected, i + 1) ? 10 : 1;
}

/* 7: locks in opposite orders */
static void run_7(int i) {
  pthread_mutex_lock(i ? &m : &n);
  pthread_mutex_lock(i ? &n : &m);
  x++;
  pthread_mutex_unlock(i ? &n : &m);
  pthread_mutex_unlock(i ? &m : &n);
}

/* 8: a condition with its predicate */
static void run_8(int i) {
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

/* 9: without: the signal may be lost */
static void run_9(int i) {
  pthread_mutex_lock(&m);
  if (i == 0) pthread_cond_wait(&c, &m);
  else pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
}

/* 10: a local of main that both threads use */
static int *shared_local;
static void run_10(int i) { *shared_local = 2 * *shared_local + i + 1; }

/* 11: a structure copied while it is written; in one word, wherever the linker puts it */
static _Alignas(8) struct pair from;
static void run_11(int i) {
  if (i == 0) {
    _Alignas(8) struct pair copy = from;
    x = 10 * copy.first + copy.second;
  } else {
    from.first = 1;
    from.second = 2;
  }
}

/* 12: a pointer that is not there yet */
static int *pointer;
static void run_12(int i) {
  if (i == 0) y = *pointer;
  else pointer = &x;
}

/* 13: atomics of every width and operator */
static _Atomic unsigned char byte = 250;
static _Atomic unsigned short half = 65530;
static _Atomic long long wide = -1;
static void run_13(int i) {
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

/* 14: both try */
static void run_14(int i) {
  if (pthread_mutex_trylock(&m) == 0) {
    x = i + 1;
    pthread_mutex_unlock(&m);
  } else {
    y = i + 1;
  }
}

/* 15: library functions on shared memory */
static char word[8];
static void run_15(int i) {
  if (i == 0) strcpy(word, "ab");
  else x = (int)strlen(word);
}

/* 16: the order decides how the program ends */
static void run_16(int i) {
  if (i == 0) a = 1;
  else if (a) exit(3);
}

/* 17: an assertion */
static void run_17(int i) {
  if (i == 0) x = 1;
  else assert(x == 0 || y == 0);
}

/* 18: heap blocks handed over */
static _Atomic(int *) box;
static void run_18(int i) {
  if (i == 0) {
    int *block = malloc(sizeof *block);
    *block = 5;
    box = block;
  } else {
    int *block = box;
    x = block ? *block : -1;
  }
}

/* 19: division */
static void run_19(int i) {
  if (i == 0) x = 1;
  else y = 10 / x;
}

/* 20: unsigned loops, floats and 64 bits */
static double d = 0.5;
static long long l = 1;
static void run_20(int i) {
  for (unsigned k = 0; k < 2; k++) l = l * 3 + i;
  d = d * 2 + (double)l;
  x = (int)d;
}

/* 21: a structure is copied */
typedef struct {
  long long first, second;
} wide_pair;
static wide_pair shared_wide;
static void run_21(int i) {
  wide_pair own = {1, 1};
  if (i == 0) shared_wide = own;
  else {
    own = shared_wide;
    x = (int)own.first, y = (int)own.second;
  }
}

/* 22: sleeping */
static void run_22(int i) {
  usleep(i == 0 ? 5 : 1);
  if (i == 0) x = 1;
  else y = x;
}

/* 23: updates that change nothing */
static void run_23(int i) {
  int expected = i;
  if (atomic_compare_exchange_strong(&a, &expected, i + 1)) x += 1;
  else y = expected + 1;
  if (atomic_exchange(&b, 1) == 0) z = i + 1;
}

/* 24: text is printed while it changes */
static char text[] = "abc";
static void run_24(int i) {
  if (i == 0) text[1] = 'x';
  else printf("%s ", text);
}

/* 25: a text is copied over another */
static _Alignas(8) char long_text[16] = "aaaaaaaaaaa", other[16];
static void run_25(int i) {
  if (i == 0) memset(long_text, 'b', 11);
  else {
    memcpy(other, long_text, 12);
    x = other[0], y = other[10];
  }
}

#define START(n)                          \
  static void *start_##n(void *argument) { \
    run_##n((int)(long)argument);          \
    return 0;                              \
  }
START(1) START(2) START(3) START(4) START(5)
START(6) START(7) START(8) START(9) START(10)
START(11) START(12) START(13) START(14) START(15)
START(16) START(17) START(18) START(19) START(20)
START(21) START(22) START(23) START(24) START(25)

static void *(*const starts[])(void *) = {
    [1] = start_1, [2] = start_2, [3] = start_3, [4] = start_4, [5] = start_5,
    [6] = start_6, [7] = start_7, [8] = start_8, [9] = start_9, [10] = start_10,
    [11] = start_11, [12] = start_12, [13] = start_13, [14] = start_14, [15] = start_15,
    [16] = start_16, [17] = start_17, [18] = start_18, [19] = start_19, [20] = start_20,
    [21] = start_21, [22] = start_22, [23] = start_23, [24] = start_24, [25] = start_25,
};

int main(int argc, char **argv) {
  (void)argv;
  const int number = argc - 1;
  void *(*start)(void *) = starts[number];
  pthread_t threads[2];
  int local = 0;
  if (number == 10) shared_local = &local;
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, start, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  if (number == 10) x = local;
  printf("%d %d %d", x, y, z);
  return 0;
}
