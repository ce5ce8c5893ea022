/* What the library throws: it is compiled without exceptions, and ends up in functions that say so in words. */
#include "exceptions.h"

#include <stdarg.h>
#include <string.h>

void *__cxa_allocate_exception(size_t size);
_Noreturn void __cxa_throw(void *object, struct fl_type *type, fl_exception_destructor destructor);

/* An object of the library: a table of functions, then what the base class has. */
struct fl_error {
  void **functions;
  void *text;
};

#define FL_ERROR(base, length, name)                                                                                   \
  {                                                                                                                    \
    extern struct fl_type fl_type_##name __asm__("_ZTISt" #length #name);                                              \
    extern void *fl_functions_##name[] __asm__("_ZTVSt" #length #name);                                                \
    void *fl_destroy_##name(void *) __asm__("_ZNSt" #length #name "D1Ev");                                             \
    if (!strncmp(text, #name " ", length + 1)) {                                                                       \
      struct fl_error *error = __cxa_allocate_exception(sizeof *error);                                                \
      base(error, message);                                                                                            \
      error->functions = fl_functions_##name + 2;                                                                      \
      __cxa_throw(error, &fl_type_##name, fl_destroy_##name);                                                          \
    }                                                                                                                  \
  }

void *fl_make_logic_error(void *, const char *) __asm__("_ZNSt11logic_errorC2EPKc");
void *fl_make_runtime_error(void *, const char *) __asm__("_ZNSt13runtime_errorC2EPKc");
static void fl_make_plain(void *object, const char *message) { (void)object, (void)message; }

_Noreturn void fl_throw_bad_alloc(void) {
  const char *text = "bad_alloc ", *message = "";
  FL_ERROR(fl_make_plain, 9, bad_alloc)
  __builtin_unreachable();
}

_Noreturn void __wrap__ZSt17__throw_bad_allocv(void) { fl_throw_bad_alloc(); }

_Noreturn void __cxa_bad_cast(void) {
  const char *text = "bad_cast ", *message = "";
  FL_ERROR(fl_make_plain, 8, bad_cast)
  __builtin_unreachable();
}

_Noreturn void __cxa_bad_typeid(void) {
  const char *text = "bad_typeid ", *message = "";
  FL_ERROR(fl_make_plain, 10, bad_typeid)
  __builtin_unreachable();
}

_Noreturn void __cxa_throw_bad_array_new_length(void) {
  const char *text = "bad_array_new_length ", *message = "";
  FL_ERROR(fl_make_plain, 20, bad_array_new_length)
  __builtin_unreachable();
}

/* std::system_error; the code of an error is a number and what explains it. */
struct fl_system_error {
  struct fl_error error;
  int code;
  void *category;
};
void *fl_generic_category(void) __asm__("_ZNSt3__216generic_categoryEv");
void *fl_make_system_error(void *, int, void *, const char *) __asm__(
    "_ZNSt3__212system_errorC1EiRKNS_14error_categoryEPKc");
void *fl_destroy_system_error(void *) __asm__("_ZNSt3__212system_errorD1Ev");
extern struct fl_type fl_type_system_error __asm__("_ZTINSt3__212system_errorE");

_Noreturn void __wrap__ZNSt3__220__throw_system_errorEiPKc(int code, const char *what) {
  struct fl_system_error *error = __cxa_allocate_exception(sizeof *error);
  fl_make_system_error(error, code, fl_generic_category(), what);
  __cxa_throw(error, &fl_type_system_error, fl_destroy_system_error);
}

/* std::nested_exception::rethrow_nested: the library's own would keep a copy of what it throws for ever. */
struct fl_nested {
  void **functions;
  void *object;
};
void __cxa_rethrow_primary_exception(void *object);
_Noreturn void __wrap__ZNKSt16nested_exception14rethrow_nestedEv(const struct fl_nested *nested) {
  __cxa_rethrow_primary_exception(nested->object);
  fl_uncaught("std::terminate: a nested exception is thrown that is none");
}

/* `text` is "TYPE was thrown in -fno-exceptions mode with message "MESSAGE"": it is thrown as what it says. */
void fl_throw_as_told(char *text) {
  char *message = strchr(text, '"');
  if (message) {
    char *end = strrchr(++message, '"');
    if (end) *end = 0;
  } else message = text;
  FL_ERROR(fl_make_logic_error, 12, out_of_range)
  FL_ERROR(fl_make_logic_error, 12, length_error)
  FL_ERROR(fl_make_logic_error, 16, invalid_argument)
  FL_ERROR(fl_make_logic_error, 12, domain_error)
  FL_ERROR(fl_make_runtime_error, 14, overflow_error)
  FL_ERROR(fl_make_runtime_error, 11, range_error)
  FL_ERROR(fl_make_runtime_error, 13, runtime_error)
  FL_ERROR(fl_make_plain, 9, bad_alloc)
}
