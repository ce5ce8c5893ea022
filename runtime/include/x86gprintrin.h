/* The part of it that has a meaning here. */
#include <__faultline_x86.h>
