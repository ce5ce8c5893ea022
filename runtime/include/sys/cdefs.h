#ifndef _FAULTLINE_SYS_CDEFS_H
#define _FAULTLINE_SYS_CDEFS_H

/* Macros that headers written for glibc or BSD expect, from this header or from any other. */
#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif

#ifndef __CONCAT
#define __CONCAT(x, y) x##y
#endif
#ifndef __STRING
#define __STRING(x) #x
#endif

#endif
