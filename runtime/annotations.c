/* What test authors call, by faultline.h. Weak: a program may have its own. */
#include "host.h"
#include "include/faultline.h"

#include <sched.h>

#define FL_ANNOTATION __attribute__((weak))

FL_ANNOTATION int faultline_choose(int count) { return fl_choose(count); }
FL_ANNOTATION void faultline_yield(void) { sched_yield(); }
FL_ANNOTATION void faultline_point(void) { fl_user_point(); }

FL_ANNOTATION void faultline_assume(int condition) {
  if (!condition) fl_assume_failed();
}

FL_ANNOTATION void faultline_atomic_begin(void) { fl_atomic_begin(); }
FL_ANNOTATION void faultline_atomic_end(void) { fl_atomic_end(); }

FL_ANNOTATION void faultline_invariant(int (*holds)(void)) { fl_invariant(holds); }
FL_ANNOTATION void faultline_at_end(int (*holds)(void)) { fl_at_end(holds); }
FL_ANNOTATION void faultline_rule(int accept, const char *function) { fl_rule(accept, function); }

FL_ANNOTATION void faultline_acquired(const volatile void *lock) { fl_own_lock(1, lock); }
FL_ANNOTATION void faultline_releasing(const volatile void *lock) { fl_own_lock(0, lock); }

FL_ANNOTATION void faultline_pool(void *start, size_t size) { fl_own_pool(start, size); }
FL_ANNOTATION void faultline_allocated(void *block, size_t size) { fl_own_block(block, size); }
FL_ANNOTATION void faultline_freed(void *block) { fl_own_free(block); }

FL_ANNOTATION void faultline_symbolic(void *object, size_t size, const char *name) {
  fl_write(object, size);
  fl_symbolic(object, size, name);
}

FL_ANNOTATION void faultline_name_thread(const char *name) { fl_name_thread(name); }
FL_ANNOTATION void faultline_name(const volatile void *object, size_t size, const char *name) {
  fl_name_object(object, size, name);
}
