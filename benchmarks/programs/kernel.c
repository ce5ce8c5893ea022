// Work on shared memory in one thread: a sieve and a table that is summed up. Needs no library.
static unsigned char composite[4096];
static unsigned table[256];
unsigned result;

unsigned work(void) {
  for (int i = 0; i < 4096; i++) composite[i] = 0;
  for (int i = 2; i * i < 4096; i++) {
    if (composite[i]) continue;
    for (int j = i * i; j < 4096; j += i) composite[j] = 1;
  }
  for (int i = 2; i < 4096; i++) {
    if (!composite[i]) table[i & 255] += i;
  }
  unsigned sum = 0;
  for (int i = 0; i < 256; i++) sum = sum * 31 + table[i];
  result = sum;
  return sum;
}

int main(void) {
  for (int i = 0; i < 20; i++) work();
  return 0;
}
