/* The system's stdio.h warns of what its libc lacks and the runtime has. */
#define tmpfile faultline_tmpfile_of_the_system
#include_next <stdio.h>
#undef tmpfile

#ifndef FAULTLINE_STDIO_H
#define FAULTLINE_STDIO_H

#ifdef __cplusplus
extern "C" {
#endif

FILE *tmpfile(void);

#ifdef __cplusplus
}
#endif

#endif
