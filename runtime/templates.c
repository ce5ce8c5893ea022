/* What the C++ library has compiled already: what it reads and writes is logged here, then it is called. */
#include "ranges.h"

/* std::sort of plain numbers: the range is read and written in one step. */
#define FL_SORT(code, type)                                                                                            \
  void __real__ZNSt3__26__sortIRNS_6__lessI##code##code##EEP##code##EEvT0_S5_T_(type *, type *, void *);               \
  void __wrap__ZNSt3__26__sortIRNS_6__lessI##code##code##EEP##code##EEvT0_S5_T_(type *first, type *last, void *less) { \
    fl_sorting(first, (size_t)((char *)last - (char *)first));                                                         \
    __real__ZNSt3__26__sortIRNS_6__lessI##code##code##EEP##code##EEvT0_S5_T_(first, last, less);                       \
  }

static void fl_sorting(void *first, size_t size) {
  if (size == 0) return;
  uint32_t site = fl_site();
  fl_access(site, first, size);
  fl_log_range(site | FL_WROTE, first, size);
}

FL_SORT(a, signed char)
FL_SORT(c, char)
FL_SORT(d, double)
FL_SORT(e, long double)
FL_SORT(f, float)
FL_SORT(h, unsigned char)
FL_SORT(i, int)
FL_SORT(j, unsigned)
FL_SORT(l, long)
FL_SORT(m, unsigned long)
FL_SORT(s, short)
FL_SORT(t, unsigned short)
FL_SORT(w, int)
FL_SORT(x, long long)
FL_SORT(y, unsigned long long)

/* std::string in the layout of this library: short ones lie in the object, the highest bit of long ones is set. */
struct fl_string {
  const char *data;
  uint32_t size;
  uint32_t capacity;
};

static size_t fl_length(const struct fl_string *text) { return text->capacity >> 31 ? text->size : 0; }

static void fl_read_text(uint32_t site, const struct fl_string *text) {
  fl_access(site, text, sizeof *text);
  /* A short text lies in the object itself, where a long one has its address. */
  if (fl_length(text) > 0) fl_log_range(site, text->data, fl_length(text));
}

/*
 * What was logged is read at once: others may run while the library is at work, since it asks for memory and calls templates
 * that are compiled with the program. Longer texts are read by the library itself.
 */
#define FL_COPIED 1024
#define FL_COPY(copy, text)                                                                                            \
  struct fl_string copy = *(text);                                                                                     \
  size_t copy##_length = fl_length(text) < FL_COPIED ? fl_length(text) : 0;                                            \
  char copy##_text[copy##_length + 1];                                                                                 \
  if (copy##_length > 0) {                                                                                             \
    memcpy(copy##_text, (text)->data, copy##_length);                                                                  \
    copy##_text[copy##_length] = 0;                                                                                    \
    copy.data = copy##_text;                                                                                           \
  }

/* const char * + std::string */
void __real__ZNSt3__2plIcNS_11char_traitsIcEENS_9allocatorIcEEEENS_12basic_stringIT_T0_T1_EEPKS6_RKS9_(
    void *, const char *, const struct fl_string *);
void __wrap__ZNSt3__2plIcNS_11char_traitsIcEENS_9allocatorIcEEEENS_12basic_stringIT_T0_T1_EEPKS6_RKS9_(
    void *result, const char *left, const struct fl_string *right) {
  uint32_t site = fl_site();
  fl_read_text(site, right);
  size_t length = strlen(left);
  fl_log_range(site, left, length + 1);
  FL_COPY(copy, right)
  char begin[length < FL_COPIED ? length + 1 : 1];
  if (length < FL_COPIED) left = memcpy(begin, left, length + 1);
  __real__ZNSt3__2plIcNS_11char_traitsIcEENS_9allocatorIcEEEENS_12basic_stringIT_T0_T1_EEPKS6_RKS9_(result, left, &copy);
}

/* std::stoi and its kin. */
#define FL_NUMBER(symbol, name, type)                                                                                  \
  type fl_real_##name(const struct fl_string *, uint32_t *, int) __asm__("__real_" symbol "Pmi");                      \
  type fl_wrap_##name(const struct fl_string *, uint32_t *, int) __asm__("__wrap_" symbol "Pmi");                      \
  type fl_wrap_##name(const struct fl_string *text, uint32_t *end, int base) {                                         \
    fl_read_text(fl_site(), text);                                                                                     \
    FL_COPY(copy, text)                                                                                                \
    uint32_t read = 0;                                                                                                 \
    type result = fl_real_##name(&copy, &read, base);                                                                  \
    if (end) fl_write(end, sizeof *end), *end = read;                                                                  \
    return result;                                                                                                     \
  }
#define FL_FRACTION(symbol, name, type)                                                                                \
  type fl_real_##name(const struct fl_string *, uint32_t *) __asm__("__real_" symbol "Pm");                            \
  type fl_wrap_##name(const struct fl_string *, uint32_t *) __asm__("__wrap_" symbol "Pm");                            \
  type fl_wrap_##name(const struct fl_string *text, uint32_t *end) {                                                   \
    fl_read_text(fl_site(), text);                                                                                     \
    FL_COPY(copy, text)                                                                                                \
    uint32_t read = 0;                                                                                                 \
    type result = fl_real_##name(&copy, &read);                                                                        \
    if (end) fl_write(end, sizeof *end), *end = read;                                                                  \
    return result;                                                                                                     \
  }
#define FL_TEXT "ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE"

FL_NUMBER("_ZNSt3__24stoi" FL_TEXT, stoi, int)
FL_NUMBER("_ZNSt3__24stol" FL_TEXT, stol, long)
FL_NUMBER("_ZNSt3__25stoul" FL_TEXT, stoul, unsigned long)
FL_NUMBER("_ZNSt3__25stoll" FL_TEXT, stoll, long long)
FL_NUMBER("_ZNSt3__26stoull" FL_TEXT, stoull, unsigned long long)
FL_FRACTION("_ZNSt3__24stof" FL_TEXT, stof, float)
FL_FRACTION("_ZNSt3__24stod" FL_TEXT, stod, double)
FL_FRACTION("_ZNSt3__25stold" FL_TEXT, stold, long double)

/* std::runtime_error and std::logic_error copy their text, also for the classes that are derived from them. */
#define FL_ERROR(symbol, name)                                                                                         \
  void *fl_real_##name(void *, const struct fl_string *) __asm__("__real_" symbol FL_ERROR_TEXT);                      \
  void *fl_wrap_##name(void *, const struct fl_string *) __asm__("__wrap_" symbol FL_ERROR_TEXT);                      \
  void *fl_wrap_##name(void *error, const struct fl_string *text) {                                                    \
    fl_read_text(fl_site(), text);                                                                                     \
    FL_COPY(copy, text)                                                                                                \
    return fl_real_##name(error, &copy);                                                                               \
  }
#define FL_ERROR_TEXT "ERKNSt3__212basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE"

FL_ERROR("_ZNSt13runtime_errorC1", runtime_error)
FL_ERROR("_ZNSt13runtime_errorC2", runtime_error_base)
FL_ERROR("_ZNSt11logic_errorC1", logic_error)
FL_ERROR("_ZNSt11logic_errorC2", logic_error_base)

/* What std::hash does to the characters of a string, for one. */
uint32_t __real__ZNSt3__213__hash_memoryEPKvm(const void *, uint32_t);
uint32_t __wrap__ZNSt3__213__hash_memoryEPKvm(const void *data, uint32_t size) {
  if (size > 0) fl_read(data, size);
  return __real__ZNSt3__213__hash_memoryEPKvm(data, size);
}

/* std::ostream::write */
void *__real__ZNSt3__213basic_ostreamIcNS_11char_traitsIcEEE5writeEPKcl(void *, const char *, long);
void *__wrap__ZNSt3__213basic_ostreamIcNS_11char_traitsIcEEE5writeEPKcl(void *stream, const char *data, long size) {
  if (size > 0) fl_read(data, (size_t)size);
  return __real__ZNSt3__213basic_ostreamIcNS_11char_traitsIcEEE5writeEPKcl(stream, data, size);
}

/* std::to_chars of fractions, which std::format uses. */
struct fl_converted {
  char *end;
  int error;
};
static struct fl_converted fl_converted_to(char *first, struct fl_converted result) {
  if (result.error == 0) fl_log_range(fl_site() | FL_WROTE, first, (size_t)(result.end - first));
  return result;
}
#define FL_TO_CHARS(symbol, name, taken, given)                                                                        \
  struct fl_converted fl_real_##name taken __asm__("__real__ZNSt3__28to_charsEPcS0_" symbol);                          \
  struct fl_converted fl_wrap_##name taken __asm__("__wrap__ZNSt3__28to_charsEPcS0_" symbol);                          \
  struct fl_converted fl_wrap_##name taken {                                                                           \
    if (last > first) fl_point(fl_site() | FL_WROTE | FL_RANGE, first, 1);                                             \
    return fl_converted_to(first, fl_real_##name given);                                                               \
  }
#define FL_FRACTION_TO_CHARS(code, type)                                                                               \
  FL_TO_CHARS(#code, to_chars_##code, (char *first, char *last, type value), (first, last, value))                     \
  FL_TO_CHARS(#code "NS_12chars_formatE", to_chars_##code##_format, (char *first, char *last, type value, int format), \
              (first, last, value, format))                                                                            \
  FL_TO_CHARS(#code "NS_12chars_formatEi", to_chars_##code##_precision,                                                \
              (char *first, char *last, type value, int format, int precision), (first, last, value, format, precision))
FL_FRACTION_TO_CHARS(f, float)
FL_FRACTION_TO_CHARS(d, double)
FL_FRACTION_TO_CHARS(e, long double)
