#ifndef TYPES_H
#define TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifndef TRUE
#define FALSE 0
#define TRUE 1
#endif

#endif
