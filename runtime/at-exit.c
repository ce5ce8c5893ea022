/*
 * What is to be done when the program ends is done in the opposite order of these calls, which tells who came first: each is
 * one step on something that all of them change. C++ calls the last one for static variables, those of functions included.
 */
#include "host.h"

#include <stdlib.h>

static char fl_at_exit;

int __cxa_atexit(void (*function)(void *), void *object, void *library);

int fl_user_atexit(void (*function)(void)) {
  fl_touch(&fl_at_exit, 1);
  return atexit(function);
}

int fl_user_at_quick_exit(void (*function)(void)) {
  fl_touch(&fl_at_exit, 1);
  return at_quick_exit(function);
}

int fl_user___cxa_atexit(void (*function)(void *), void *object, void *library) {
  fl_touch(&fl_at_exit, 1);
  return __cxa_atexit(function, object, library);
}
