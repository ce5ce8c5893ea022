/*
 * Bugs that take an input and a schedule. The inputs that stand here are innocent: a check without --symbolic finds nothing.
 * The case is chosen by the number of arguments.
 */
#include <assert.h>
#include <errno.h>
#include <faultline.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INPUT(object) faultline_symbolic(&object, sizeof object, #object)

static int shared;
static int other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void both(void *(*a)(void *), void *(*b)(void *)) {
  pthread_t first, second;
  pthread_create(&first, 0, a, 0);
  pthread_create(&second, 0, b, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}

/* 1: figure 6 of Portend+: a table that overflows for one option and one schedule. */
#define MAX_SIZE 8
static int id = MAX_SIZE - 1;
static int *stats;
static char useHashTable = 1;
static int hashTable;

static void *handleRequest(void *unused) {
  pthread_mutex_lock(&lock);
  id++;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *updateStats(void *unused) {
  if (useHashTable) hashTable = id;
  else if (id < MAX_SIZE) stats[id] = 1;
  return unused;
}
static void figure6(void) {
  stats = calloc(MAX_SIZE, sizeof *stats);
  INPUT(useHashTable);
  both(handleRequest, updateStats);
  free(stats);
}

/* 2: an update that is lost matters for one number. */
static int number = 3;
static void *increment(void *unused) {
  int seen = shared;
  shared = seen + 1;
  return unused;
}
static void lostUpdate(void) {
  INPUT(number);
  both(increment, increment);
  if (number * 3 == 369) assert(shared == 2);
}

/* 3: the input decides the order of locks. */
static unsigned flags = 1;
static void *forwards(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock2);
  pthread_mutex_unlock(&lock2);
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *backwards(void *unused) {
  pthread_mutex_t *first = flags & 16 ? &lock2 : &lock;
  pthread_mutex_t *second = flags & 16 ? &lock : &lock2;
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return unused;
}
static void lockOrder(void) {
  INPUT(flags);
  both(forwards, backwards);
}

/* 4: a word of text frees what is still used. */
static char command[6] = "go";
static int *buffer;
static void *user(void *unused) {
  *buffer = 1;
  return unused;
}
static void *commander(void *unused) {
  if (strcmp(command, "stop") == 0) free(buffer);
  return unused;
}
static void textCommand(void) {
  buffer = malloc(sizeof *buffer);
  INPUT(command);
  both(user, commander);
}

/* 5: two slots that are one for one index. */
static unsigned char slot = 1;
static int slots[8];
static void *addToSlot(void *unused) {
  slots[slot & 7]++;
  return unused;
}
static void *addToFifth(void *unused) {
  slots[5]++;
  return unused;
}
static void sameSlot(void) {
  INPUT(slot);
  both(addToSlot, addToFifth);
  int sum = 0;
  for (int i = 0; i < 8; i++) sum += slots[i];
  assert(sum == 2);
}

/* 6: a divisor that is zero while another thread is half done. */
static int limit = 100;
static void *change(void *unused) {
  shared = 7;
  shared = 0;
  return unused;
}
static void *divide(void *unused) {
  if (limit > 0) other = 1000 / (limit - shared);
  return unused;
}
static void division(void) {
  INPUT(limit);
  both(change, divide);
}

/* 7: one of several instructions forgets the lock. */
static unsigned char instruction = 2;
static void *execute(void *unused) {
  switch (instruction) {
    case 0: break;
    case 1: pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); break;
    case 2: pthread_mutex_lock(&lock); shared++; pthread_mutex_unlock(&lock); break;
    case 3: pthread_mutex_lock(&lock); shared--; pthread_mutex_unlock(&lock); break;
    case 4: other = 1; break;
    case 5: shared++; break;
    default: break;
  }
  return unused;
}
static void *lockedIncrement(void *unused) {
  pthread_mutex_lock(&lock);
  shared++;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void instructions(void) {
  INPUT(instruction);
  both(execute, lockedIncrement);
  if (instruction == 5) assert(shared == 2);
}

/* 8: 64 bits. */
static long long key = 12;
static void hashedKey(void) {
  INPUT(key);
  both(increment, increment);
  if ((key ^ (key >> 7)) + 0x123456789aLL == 0x123456789aLL + 77777) assert(shared == 2);
}

/* 9: so many rounds. */
static unsigned char rounds = 1;
static int produced, consumed;
static void *produce(void *unused) {
  for (int i = 0; i < rounds; i++) produced++;
  return unused;
}
static void *consume(void *unused) {
  consumed = produced;
  return unused;
}
static void loop(void) {
  INPUT(rounds);
  if (rounds > 4) return;
  both(produce, consume);
  assert(consumed != 3);
}

/* 10: a key that leads to a wait without a condition. */
static unsigned secret = 5;
static void *waiter(void *unused) {
  pthread_mutex_lock(&lock);
  unsigned turned = (secret << 7) | (secret >> 25);
  if ((turned ^ 0x5a5a) == 0x1234) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *signaller(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}
static void lostWakeup(void) {
  INPUT(secret);
  both(waiter, signaller);
}

/* 11: a short, signed, and the least one of them. */
static short level = 4;
static void *lower(void *unused) {
  if (level < 0 && -level == 32768) shared = 1;
  return unused;
}
static void *watch(void *unused) {
  assert(shared == 0);
  return unused;
}
static void leastShort(void) {
  INPUT(level);
  both(lower, watch);
}

/* 12: two inputs that must fit. */
static unsigned char width = 1, height = 1;
static void area(void) {
  INPUT(width);
  INPUT(height);
  both(increment, increment);
  if (width * height == 143 && width > height) assert(shared == 2);
}

/* 13: no bug for any input. */
static int harmless = 3;
static void verified(void) {
  INPUT(harmless);
  int extra = harmless > 10 ? 1 : harmless < -5 ? 2 : 0;
  both(lockedIncrement, lockedIncrement);
  if (harmless * 3 == 369) assert(shared + extra == 3);
}

/* 14: how much is printed: too much for one number. */
static unsigned char length = 3;
static void print(void) {
  char *text = malloc(4);
  memcpy(text, "abc", 4);
  INPUT(length);
  fwrite(text, 1, length & 7, stdout);
  fflush(stdout);
  free(text);
}

/* 15: a time that is none. */
static unsigned char delay = 1;
static void badDeadline(void) {
  INPUT(delay);
  struct timespec deadline = {1, (delay & 3) * 400000000};
  pthread_mutex_lock(&lock);
  int result = pthread_mutex_timedlock(&lock, &deadline);
  assert(result != EINVAL);
}

/* 16: a switch in one schedule, an argument in another: questions of the same value with different answers. */
static unsigned char kind = 1;
static void *one(void *unused) {
  shared = 1;
  return unused;
}
static void *two(void *unused) {
  shared = 2;
  return unused;
}
static void switchOrNumber(void) {
  INPUT(kind);
  both(one, two);
  unsigned which = kind & 7;
  if (shared == 1) {
    switch (which) {
      case 0: other = 3; break;
      case 1: other = 1; break;
      case 2: other = 4; break;
      case 3: other = 2; break;
      default: other = 5;
    }
  } else {
    sem_t count;
    int value;
    sem_init(&count, 0, which);
    sem_getvalue(&count, &value);
    assert(value != 6);
  }
}

/* 22: one of 200 in a table that nobody writes. */
static const unsigned short table[200] = {[0] = 9, [57] = 40961, [58] = 3, [199] = 9};
static unsigned char entry = 1;
static void lookUp(void) {
  INPUT(entry);
  both(increment, increment);
  if (table[entry] == 40961) assert(shared == 2);
}

/* 23: read before it is declared. */
static void late(void) {
  both(increment, increment);
  INPUT(shared);
}

/* 24: freed before it is declared. */
static void freed(void) {
  buffer = malloc(sizeof *buffer);
  free(buffer);
  faultline_symbolic(buffer, sizeof *buffer, "buffer");
}

/* 25: two factors of a large number. */
static unsigned long long factor = 3, other_factor = 3;
static void factors(void) {
  INPUT(factor);
  INPUT(other_factor);
  if (factor < 2 || other_factor < 2 || factor >> 32 || other_factor >> 32) return;
  assert(factor * other_factor != 3037000493ull * 2860486313ull);
}

/* Misuse. */
static void nothing(void) { faultline_symbolic(&number, 0, "number"); }
static char large[5000];
static void tooLarge(void) { INPUT(large); }
static void overlapping(void) {
  faultline_symbolic(&slots[0], 8, "first");
  faultline_symbolic(&slots[1], 8, "second");
}
static void reserved(void) { faultline_symbolic(&number, sizeof number, "arg1"); }
static void nameless(void) { faultline_symbolic(&number, sizeof number, ""); }

int main(int argc, char **argv) {
  static void (*const cases[])(void) = {figure6,    lostUpdate, lockOrder, textCommand, sameSlot, division,
                                        instructions, hashedKey, loop,      lostWakeup,  leastShort, area,
                                        verified,   print,      badDeadline, switchOrNumber, nothing, tooLarge,
                                        overlapping, nameless,  reserved,  lookUp,      late,     freed,    factors};
  cases[argc - 2]();
  return 0;
}
