/* Files: those that the program is given and those that it makes. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "case.h"

static FILE *file;
static char line[16];

/* Every execution begins with the same files. */
static void alone(void) {
  struct stat status;
  file = fopen("given.txt", "r");
  assert(file && fgets(line, sizeof line, file) && !strcmp(line, "given\n") && fclose(file) == 0);
  assert(!fopen("missing.txt", "r") && errno == ENOENT && !fopen("no/folder.txt", "w"));
  file = fopen("/tmp/made.txt", "w+");
  assert(file && fprintf(file, "%s %d", "one", 2) == 5 && ftell(file) == 5);
  rewind(file);
  assert(fgets(line, sizeof line, file) && !strcmp(line, "one 2") && fclose(file) == 0);
  file = fopen("tmp/made.txt", "a");
  assert(fputc('!', file) == '!' && fclose(file) == 0);
  assert(stat("/tmp/made.txt", &status) == 0 && status.st_size == 6 && S_ISREG(status.st_mode));
  assert(rename("/tmp/made.txt", "/tmp/named.txt") == 0 && access("/tmp/made.txt", F_OK) == -1);
  int number = open("/tmp/named.txt", O_RDONLY);
  assert(number >= 0 && lseek(number, 4, SEEK_SET) == 4 && read(number, line, 16) == 2 && line[1] == '!');
  assert(close(number) == 0 && close(number) == -1 && errno == EBADF);
  assert(remove("/tmp/named.txt") == 0 && mkdir("/tmp/folder", 0700) == 0 && rmdir("/tmp/folder") == 0);
  file = tmpfile();
  assert(file && fputs("x", file) >= 0 && fseek(file, 0, SEEK_SET) == 0 && fgetc(file) == 'x');
  fclose(file);
  file = fopen("given.txt", "w");
  fclose(file);
}

static void *append(void *text) {
  fputs(text, file);
  return NULL;
}

/* Two threads write to one stream: who comes first shows. */
static void ordered(void) {
  pthread_t other;
  file = fopen("out.txt", "w");
  pthread_create(&other, NULL, append, "a");
  append("b");
  pthread_join(other, NULL);
  fclose(file);
  file = fopen("out.txt", "r");
  assert(fgets(line, sizeof line, file) && strlen(line) == 2);
  fclose(file);
  assert(line[0] == 'b');
}

static void *make(void *unused) {
  int number = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (number >= 0) close(number);
  return number >= 0 ? unused : NULL;
}

/* One of two makes the file. */
static void once(void) {
  pthread_t other;
  void *made;
  pthread_create(&other, NULL, make, line);
  void *first = make(line);
  pthread_join(other, &made);
  assert((first != NULL) + (made != NULL) == 1);
  assert(first != NULL);
}

static void *take(void *taken) {
  *(int *)taken = fgetc(file);
  return NULL;
}

/* Two threads read from one stream, which is empty at first: nobody comes between the stream and its file. */
static void apart(void) {
  pthread_t other;
  int first, second;
  file = fopen("given.txt", "r");
  pthread_create(&other, NULL, take, &second);
  take(&first);
  pthread_join(other, NULL);
  fclose(file);
  assert(first + second == 'g' + 'i');
  assert(first == 'g');
}

int main(int argc, char **argv) {
  static void (*const cases[])(void) = {alone, ordered, once, apart};
  choose_case(argc, argv);
  cases[CASE]();
  return 0;
}
