/*
 * The system's header declares errno thread-local, but the libc it comes with defines it as a plain variable. It stays
 * plain here; the machine gives each thread its own value by swapping it when threads switch.
 */
#ifndef __wasilibc___errno_h
#define __wasilibc___errno_h

#ifdef __cplusplus
extern "C" {
#endif

extern int errno;
#define errno errno

#ifdef __cplusplus
}
#endif

#endif
