/* Almost every header of libc includes this one, as glibc's do; there it brings these macros along. */
#include_next <features.h>
#include <sys/cdefs.h>
