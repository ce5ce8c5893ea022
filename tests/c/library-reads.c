/* Library functions that read or write what another thread changes; told by argument which. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char text[8] = "12";
static char words[] = "ab cd";
static char line[8];
static int numbers[2] = {2, 1};
static time_t early = 0, late = 86400 * 40;
static int number;
static long seen = -1;

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void *other(void *unused) {
  (void)unused;
  switch (number) {
  case 5:
    seen = strtok(0, " ") != 0;
    break;
  case 6:
    localtime(&late);
    break;
  case 7:
    seen = fgets(line, sizeof line, stdin)[0];
    break;
  case 9:
    seen = numbers[0];
    break;
  default:
    text[0] = '3';
  }
  return 0;
}

int main(int count, char **arguments) {
  pthread_t thread;
  char own[16] = "";
  struct tm *when;
  assert(count == 2);
  number = atoi(arguments[1]);
  if (number == 5) strtok(words, " ");
  pthread_create(&thread, 0, other, 0);
  switch (number) {
  case 1:
    printf("%d %.*s%c", 7, 2, text, '\n');
    break;
  case 2:
    puts(text);
    break;
  case 3:
    fwrite(text, 1, 2, stdout);
    break;
  case 4:
    seen = strtol(text, 0, 10);
    break;
  case 5:
    seen = strtok(0, " ") == 0;
    break;
  case 6:
    when = localtime(&early);
    pthread_join(thread, 0);
    printf("month %d", when->tm_mon);
    return 0;
  case 7:
    fgets(own, sizeof own, stdin);
    break;
  case 8:
    snprintf(own, sizeof own, "<%s>", text);
    break;
  case 9:
    qsort(numbers, 2, sizeof *numbers, ascending);
    break;
  }
  pthread_join(thread, 0);
  printf(" %ld %s", seen, own);
  return 0;
}
