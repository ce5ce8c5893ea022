/* Templates that the C++ library has compiled already: what they read and write is logged here, then they are called. */
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

/* const char * + std::string */
void __real__ZNSt3__2plIcNS_11char_traitsIcEENS_9allocatorIcEEEENS_12basic_stringIT_T0_T1_EEPKS6_RKS9_(
    void *, const char *, const struct fl_string *);
void __wrap__ZNSt3__2plIcNS_11char_traitsIcEENS_9allocatorIcEEEENS_12basic_stringIT_T0_T1_EEPKS6_RKS9_(
    void *result, const char *left, const struct fl_string *right) {
  uint32_t site = fl_site();
  fl_access(site, right, sizeof *right);
  if (right->capacity >> 31) fl_log_range(site, right->data, right->size);
  fl_log_range(site, left, strlen(left) + 1);
  __real__ZNSt3__2plIcNS_11char_traitsIcEENS_9allocatorIcEEEENS_12basic_stringIT_T0_T1_EEPKS6_RKS9_(result, left, right);
}

/* std::ostream::write */
void *__real__ZNSt3__213basic_ostreamIcNS_11char_traitsIcEEE5writeEPKcl(void *, const char *, long);
void *__wrap__ZNSt3__213basic_ostreamIcNS_11char_traitsIcEEE5writeEPKcl(void *stream, const char *data, long size) {
  if (size > 0) fl_read(data, (size_t)size);
  return __real__ZNSt3__213basic_ostreamIcNS_11char_traitsIcEEE5writeEPKcl(stream, data, size);
}
