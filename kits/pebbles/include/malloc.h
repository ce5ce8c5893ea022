#ifndef MALLOC_H
#define MALLOC_H

#include <stdlib.h>

#endif
