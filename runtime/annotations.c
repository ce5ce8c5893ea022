/* What test authors call, by faultline.h. Weak: a program may have its own. */
#include "host.h"
#include "include/faultline.h"

#include <sched.h>

FL_WEAK int faultline_choose(int count) { return fl_choose(count); }
FL_WEAK void faultline_yield(void) { sched_yield(); }
FL_WEAK void faultline_point(void) { fl_user_point(); }

FL_WEAK void faultline_assume(int condition) {
  if (!condition) fl_assume_failed();
}

FL_WEAK void faultline_atomic_begin(void) { fl_atomic_begin(); }
FL_WEAK void faultline_atomic_end(void) { fl_atomic_end(); }

FL_WEAK void faultline_invariant(int (*holds)(void)) { fl_invariant(holds); }
FL_WEAK void faultline_at_end(int (*holds)(void)) { fl_at_end(holds); }
FL_WEAK void faultline_rule(int accept, const char *function) { fl_rule(accept, function); }

FL_WEAK void faultline_acquired(const volatile void *lock) { fl_own_lock(1, lock); }
FL_WEAK void faultline_releasing(const volatile void *lock) { fl_own_lock(0, lock); }

FL_WEAK void faultline_pool(void *start, size_t size) { fl_own_pool(start, size); }
FL_WEAK void faultline_allocated(void *block, size_t size) { fl_own_block(block, size); }
FL_WEAK void faultline_freed(void *block) { fl_own_free(block); }

FL_WEAK void faultline_symbolic(void *object, size_t size, const char *name) {
  fl_write(object, size);
  fl_symbolic(object, size, name);
}

FL_WEAK void faultline_name_thread(const char *name) { fl_name_thread(name); }
FL_WEAK void faultline_name(const volatile void *object, size_t size, const char *name) {
  fl_name_object(object, size, name);
}

/* For people: the object is called so, with a number. */
static void fl_name_numbered(const volatile void *object, size_t size, const char *what, int number) {
  char name[40];
  char *at = name;
  while (*what) *at++ = *what++;
  for (int unit = number >= 100 ? 100 : number >= 10 ? 10 : 1; unit > 0; unit /= 10)
    *at++ = (char)('0' + number / unit % 10);
  *at = 0;
  fl_name_object(object, size, name);
}
