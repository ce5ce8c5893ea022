/* glibc's includes <sys/types.h>, too: programs have ssize_t and the like from it. */
#include_next <stdlib.h>
#include <sys/types.h>
