/*
 * Strings that the library has compiled already would not be instrumented: none are taken from it, so that they are
 * compiled with the program.
 */
#ifndef _LIBCPP___STRING_EXTERN_TEMPLATE_LISTS_H
#define _LIBCPP___STRING_EXTERN_TEMPLATE_LISTS_H
#define _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST(Func, CharT)
#define _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST(Func, CharT)
#endif
