/* What a thread is called, for programs that ask. */
#include "thread-names.h"

#include "fl.h"
#include "host.h"

#include <errno.h>
#include <string.h>

char fl_named_by_others;

__attribute__((weak)) int pthread_getname_np(pthread_t thread, char *name, size_t size) {
  if (thread != __wrap_pthread_self()) fl_unsupported("pthread_getname_np for another thread");
  fl_touch(&fl_named_by_others, 0);
  if (fl_named_by_others) fl_unsupported("pthread_getname_np where a thread was given its name by another one");
  const char *own = fl_own_name[0] ? fl_own_name : "program";
  size_t length = strlen(own) + 1;
  if (length > size) return ERANGE;
  fl_write(name, length);
  memcpy(name, own, length);
  return 0;
}
