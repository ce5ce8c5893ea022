/* Names that threads give themselves: reports show them. As on Linux they have at most 15 letters. */
#include "thread-names.h"

#include "fl.h"
#include "host.h"

#include <errno.h>
#include <string.h>

_Thread_local char fl_own_name[FL_MOST_LETTERS + 1];

__attribute__((weak)) int pthread_setname_np(pthread_t thread, const char *name) {
  size_t length = strlen(name);
  fl_read(name, length + 1);
  if (length > FL_MOST_LETTERS) return ERANGE;
  if (thread == __wrap_pthread_self()) {
    memcpy(fl_own_name, name, length + 1);
    fl_name_thread(name);
  } else if (&fl_named_by_others) {
    fl_touch(&fl_named_by_others, 1);
    fl_named_by_others = 1;
  }
  return 0;
}
