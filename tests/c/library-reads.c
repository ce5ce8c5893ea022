/* Library functions that read or write what another thread changes; told by argument which. */
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static _Alignas(4) char text[8] = "12";
static char words[] = "ab cd";
static char line[8];
static int numbers[2] = {2, 1};
static time_t early = 0, late = 86400 * 40;
static int number;
static long seen = -1;
static wchar_t wide[4];
static void *place;
static double whole;
static pthread_key_t key = 99;
static char *cursor = words;
static FILE *file;
static int number_read;
static struct timespec duration = {0, 1};

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void say_first(void) { printf("first "); }
static void say_other(void) { printf("other "); }

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
  case 11:
    sscanf("7 8", "%*d %d", &numbers[0]);
    break;
  case 12:
    rand_r((unsigned *)&numbers[0]);
    break;
  case 13:
    (void)!read(0, line, 2);
    break;
  case 15:
    (void)!posix_memalign(&place, 16, 16);
    break;
  case 16:
    modf(3.5, &whole);
    break;
  case 17:
    pthread_key_create(&key, 0);
    break;
  case 18:
    strsep(&cursor, " ");
    break;
  case 23:
    scanf("%3s", line);
    break;
  case 27:
    atexit(say_other);
    break;
  case 30:
  case 40:
    fgetc(file);
    break;
  case 31:
    (void)!fread(&number_read, sizeof number_read, 1, file);
    break;
  case 33:
    sprintf(line, "a%1$n", &numbers[0]);
    break;
  case 34:
    sscanf("4 5", "%2$d %1$d", &numbers[0], &numbers[1]);
    break;
  case 36:
    duration.tv_nsec = -1;
    break;
  case 37:
    nanosleep(&(struct timespec){0, 1}, &duration);
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
  if (number == 30 || number == 31 || number == 40) {
    FILE *made = fopen("made", "w");
    fputs("xyz", made);
    fclose(made);
    file = fopen("made", "r");
    if (number == 40) (void)!fread(own, 1, 3, file);
    if (number == 30) (void)!fread(own, 1, 4, file);
  }
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
  case 10:
    sscanf(text, "%ld", &seen);
    break;
  case 11:
  case 12:
    seen = numbers[0] == 2;
    break;
  case 13:
  case 23:
    seen = line[0];
    break;
  case 14:
    (void)!write(1, text, 2);
    break;
  case 15:
    seen = place != 0;
    break;
  case 16:
    seen = (long)whole;
    break;
  case 17:
    seen = key == 99;
    break;
  case 18:
    seen = words[2];
    break;
  case 19:
    stpcpy(own, text);
    break;
  case 20:
    strlcpy(own, text, 2);
    break;
  case 21:
    memccpy(own, text, '2', 8);
    break;
  case 22:
    seen = mbstowcs(wide, text, 4) == 2 ? wide[0] : -2;
    break;
  case 27:
    atexit(say_first);
    break;
  case 28:
    seen = bcmp(text, "12", 3) != 0;
    break;
  case 29:
    seen = wmemchr((wchar_t *)text, '3' | '2' << 8, 2) == (wchar_t *)text;
    break;
  case 40:
    seen = feof(file) != 0;
    break;
  case 30:
    clearerr(file);
    break;
  case 31:
    seen = ((char *)&number_read)[1];
    break;
  case 32:
    printf("%2$d %1$.*2$s", text, 2);
    break;
  case 33:
  case 34:
    seen = numbers[0];
    break;
  case 35:
    snprintf(own, sizeof own, text, 7);
    break;
  case 36:
    seen = nanosleep(&duration, 0);
    break;
  case 37:
    seen = duration.tv_nsec;
    break;
  case 38:
    seen = *(char *)(place = strndup(text, 1));
    break;
  case 39:
    seen = strncasecmp(text, "12", 2) != 0;
    break;
  case 24:
    wmemcpy(wide, (wchar_t *)text, 2);
    seen = ((char *)wide)[0];
    break;
  case 25:
    seen = memmem(text, 4, "2", 1) == text + 1 && memmem(text, 4, "1", 1) == 0;
    break;
  case 26:
    swab(text, own, 2);
    break;
  }
  pthread_join(thread, 0);
  if (number == 30) seen = feof(file) != 0;
  if (file) fclose(file);
  free(place);
  printf(" %ld %s", seen, own);
  return 0;
}
