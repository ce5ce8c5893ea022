/*
 * Text that is printed: read by functions that the library has compiled already, so the read is logged before. All
 * operators of streams that print strings come here.
 */
#ifndef FAULTLINE_PUT_CHARACTER_SEQUENCE_H
#define FAULTLINE_PUT_CHARACTER_SEQUENCE_H

#include <__faultline.h>

#define __put_character_sequence __put_unlogged
#include_next <__ostream/put_character_sequence.h>
#undef __put_character_sequence

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _CharT, class _Traits>
FL_INLINED basic_ostream<_CharT, _Traits> &__put_character_sequence(basic_ostream<_CharT, _Traits> &__stream,
                                                                    const _CharT *__text, size_t __length) {
  _CharT __copy[128];
  if (__length > sizeof __copy / sizeof *__copy) {
    fl_reads(__text, __length * sizeof(_CharT));
    return std::__put_unlogged(__stream, __text, __length);
  }
  fl_reads_into(__copy, __text, __length * sizeof(_CharT));
  return std::__put_unlogged(__stream, __copy, __length);
}

_LIBCPP_END_NAMESPACE_STD

#endif
