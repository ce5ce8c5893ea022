/*
 * Named semaphores. All threads are in one process, so a table that they share is the system's: to find, make or unlink
 * a name is one step, and conflicts with any other. Entries are not used again, lest a name get the address of another.
 */
#include "fl.h"
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

#define FL_MOST_NAMED 64
/* With the slash, as on Linux. */
#define FL_LONGEST_NAME (NAME_MAX - 3)

static struct fl_named {
  sem_t semaphore;
  _Bool is_linked;
  char name[FL_LONGEST_NAME + 1];
} fl_named[FL_MOST_NAMED];

static int fl_named_count;

static sem_t *fl_not_opened(int error) {
  errno = error;
  return SEM_FAILED;
}

/* Right after the step that looks at the table. */
static struct fl_named *fl_find_named(const char *name) {
  for (int i = 0; i < fl_named_count; i++)
    if (fl_named[i].is_linked && strcmp(fl_named[i].name, name) == 0) return &fl_named[i];
  return 0;
}

FL_WEAK sem_t *sem_open(const char *name, int flags, ...) {
  unsigned value = 0;
  if (flags & O_CREAT) {
    va_list arguments;
    va_start(arguments, flags);
    va_arg(arguments, unsigned); /* the mode: there is one user */
    value = va_arg(arguments, unsigned);
    va_end(arguments);
  }
  size_t length = strlen(name);
  fl_read(name, length + 1);
  if (length == 0 || strcmp(name, "/") == 0) return fl_not_opened(EINVAL);
  if (length > FL_LONGEST_NAME) return fl_not_opened(ENAMETOOLONG);
  fl_touch(&fl_named_count, (flags & O_CREAT) != 0);
  struct fl_named *named = fl_find_named(name);
  if (named) return (flags & O_CREAT) && (flags & O_EXCL) ? fl_not_opened(EEXIST) : &named->semaphore;
  if (!(flags & O_CREAT)) return fl_not_opened(ENOENT);
  if (value > SEM_VALUE_MAX) return fl_not_opened(EINVAL);
  if (fl_named_count == FL_MOST_NAMED) fl_unsupported("more than 64 named semaphores");
  named = &fl_named[fl_named_count++];
  strcpy(named->name, name);
  named->is_linked = 1;
  fl_semaphore_make(&named->semaphore, value);
  fl_name_object(&named->semaphore, sizeof named->semaphore, named->name);
  return &named->semaphore;
}

/* Others may have it open: it stays. */
FL_WEAK int sem_close(sem_t *semaphore) {
  char *at = (char *)semaphore, *table = (char *)fl_named;
  if (at >= table && at < table + sizeof fl_named) return 0;
  errno = EINVAL;
  return -1;
}

/* Who has it open keeps it. */
FL_WEAK int sem_unlink(const char *name) {
  fl_read(name, strlen(name) + 1);
  fl_touch(&fl_named_count, 1);
  struct fl_named *named = fl_find_named(name);
  if (!named) {
    errno = ENOENT;
    return -1;
  }
  named->is_linked = 0;
  return 0;
}
