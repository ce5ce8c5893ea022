/* The end of a program by an exception that nobody catches. */
#include "exceptions.h"

static void (*fl_terminate_handler)(void);

void (*__wrap__ZSt13set_terminatePFvvE(void (*handler)(void)))(void) {
  void (*old)(void) = fl_terminate_handler;
  fl_terminate_handler = handler;
  return old;
}

void (*__wrap__ZSt13get_terminatev(void))(void) { return fl_terminate_handler; }

extern struct fl_type fl_std_exception __asm__("_ZTISt9exception");

/* what() comes after two destructors. */
enum { fl_what = 2 };

static const char *fl_what_of(const struct fl_exception *exception) {
  void *object;
  if (!fl_fits(exception, &fl_std_exception, &object)) return 0;
  typedef const char *(*what)(const void *);
  return ((what)(*(void ***)object)[fl_what])(object);
}

_Noreturn void fl_terminate_because(const void *thrown) {
  const struct fl_exception *exception = thrown;
  if (fl_terminate_handler) {
    fl_terminate_handler();
    fl_uncaught("std::terminate: the handler of std::set_terminate returns");
  }
  fl_uncaught_exception(exception->type->name, fl_what_of(exception), exception->site);
}

struct fl_exception *fl_latest(void);

/* Where the compiler says so: an exception comes out of what must not throw. */
_Noreturn void __wrap__ZSt9terminatev(void) {
  if (fl_terminate_handler) {
    fl_terminate_handler();
    fl_uncaught("std::terminate: the handler of std::set_terminate returns");
  }
  struct fl_exception *exception = fl_latest();
  if (exception) fl_terminate_because(exception);
  fl_uncaught("std::terminate is called");
}
