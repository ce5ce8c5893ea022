/*
 * Exceptions of C++, as the Itanium ABI has them, on top of what src/frontends/wasm/rewrite/exceptions.ts makes of
 * WebAssembly's. Linked only into programs that are compiled with exceptions.
 */
#ifndef FL_EXCEPTIONS_H
#define FL_EXCEPTIONS_H

#include "host.h"

#include <stdint.h>

/* What `catch` and `throw` know of a type: a table of functions, and the name. */
struct fl_type {
  void **functions;
  const char *name;
};

/* On this machine destructors return the object. */
typedef void *(*fl_exception_destructor)(void *);

/*
 * What comes before an object that is thrown. An exception that is thrown again from a std::exception_ptr is another one
 * with the same object: several threads may have it at once.
 */
struct fl_exception {
  /* How many own the object: only counts in the one that holds it. */
  uint32_t owners;
  struct fl_type *type;
  fl_exception_destructor destructor;
  /* The one that holds the object: itself, or another. */
  struct fl_exception *primary;
  /* The next of those that the thread is handling. */
  struct fl_exception *next;
  /* How many handlers it is in; negative while it is thrown again out of one. */
  int32_t handlers;
  /* The object, as the handler sees it. */
  void *adjusted;
  /* Where it was thrown. */
  uint32_t site;
  /* It has been in a std::exception_ptr: other threads may own it, too. */
  uint32_t shared;
} __attribute__((aligned(16)));

/* Thrown when a thread ends early: it runs destructors, and nothing may keep it. */
extern _Thread_local struct fl_exception fl_thread_end;

_Noreturn void fl_raise(struct fl_exception *exception);
_Noreturn void fl_terminate_because(const void *exception);

/* Whether the exception fits a clause; then its object is set to what that clause sees. */
_Bool fl_fits(const struct fl_exception *exception, struct fl_type *clause, void **object);

/* Not before the exception has come out of everything: whether somebody might catch it, as far as can be told. */
FL_HOST(fl_may_be_caught) int fl_may_be_caught(void);

/* Ends the run: an exception of that type is caught by nobody. `what` may be null. */
FL_HOST(fl_uncaught_exception) _Noreturn void fl_uncaught_exception(const char *type, const char *what, uint32_t site);

#endif
