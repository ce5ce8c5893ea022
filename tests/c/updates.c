/*
 * Atomic updates that do nothing for some threads; told by argument which. In case 0 the other arguments are what each
 * thread does, a letter for each operation.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static int number;
static atomic_int x;
static _Atomic unsigned char small;
static _Atomic unsigned short half;
static _Atomic long long wide;
static int done[4];
static char **scripts;

static void step(char what, int i) {
  int expected = what == 'f' ? 1 : what == 'g' ? 9 : 0;
  switch (what) {
  case 'a':
    done[i] = done[i] * 10 + atomic_load(&x);
    break;
  case 'b':
  case 'c':
    atomic_store(&x, what - 'a');
    break;
  case 'd':
    done[i] = done[i] * 10 + atomic_exchange(&x, 1);
    break;
  case 'e':
  case 'f':
  case 'g':
    done[i] = done[i] * 10 + atomic_compare_exchange_strong(&x, &expected, what - 'd');
    break;
  case 'h':
  case 'i':
    atomic_fetch_add(&x, what - 'h');
    break;
  case 'j':
    expected = 1;
    done[i] = done[i] * 10 + atomic_compare_exchange_strong(&x, &expected, 1);
    break;
  case 'k':
    done[i] = done[i] * 10 + atomic_fetch_or(&x, 2);
    break;
  case 'l':
    done[i] = done[i] * 10 + atomic_fetch_and(&x, ~1);
    break;
  }
}

static void *work(void *argument) {
  int i = (int)(size_t)argument;
  int old;
  switch (number) {
  case 0:
    for (int k = 0; scripts[i][k]; k++) step(scripts[i][k], i);
    break;
  case 1: /* the usual loop */
    old = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &old, old + 1)) {
    }
    break;
  case 2: /* who comes first */
    old = 0;
    done[i] = atomic_compare_exchange_strong(&x, &old, i + 1);
    break;
  case 3: /* one step each, in order */
    old = i;
    done[i] = atomic_compare_exchange_strong(&x, &old, i + 1);
    break;
  case 4: /* a lock that is only tried */
    if (atomic_exchange(&x, 1) == 0) {
      done[i] = 1;
      atomic_store(&x, 0);
    }
    break;
  case 5: { /* bytes, and values that stay */
    unsigned char expected = 255;
    atomic_fetch_add(&small, i == 0 ? 255 : 0);
    done[i] = atomic_compare_exchange_strong(&small, &expected, 255);
    break;
  }
  case 6: { /* two bytes */
    unsigned short expected = 0;
    atomic_compare_exchange_strong(&half, &expected, 40000 + i);
    expected = 40000;
    done[i] = atomic_compare_exchange_strong(&half, &expected, 7);
    break;
  }
  case 7: { /* eight bytes: no values are told */
    long long expected = 0;
    done[i] = atomic_compare_exchange_strong(&wide, &expected, 1LL << (33 + i));
    break;
  }
  case 8: /* bits */
    atomic_fetch_or(&x, 1 << (i / 2));
    done[i] = atomic_fetch_and(&x, ~2);
    break;
  }
  return 0;
}

int main(int count, char **arguments) {
  pthread_t threads[4];
  assert(count >= 3);
  scripts = arguments + 3;
  number = atoi(arguments[1]);
  int most = atoi(arguments[2]);
  for (int i = 0; i < most; i++) pthread_create(&threads[i], 0, work, (void *)(size_t)i);
  for (int i = 0; i < most; i++) pthread_join(threads[i], 0);
  printf("%d %d %d %d", x, small, half, done[0] + 2 * done[1] + 4 * done[2] + 8 * done[3]);
  return 0;
}
