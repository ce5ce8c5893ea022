/* Throwing, catching, throwing again: what compiled code calls. */
#include "exceptions.h"

#include <string.h>

__asm__(".globl __cpp_exception\n.tagtype __cpp_exception i32\n__cpp_exception:\n");

void *__wrap_malloc(size_t size);
void __wrap_free(void *block);

_Thread_local struct fl_exception fl_thread_end;

/* Those that the thread is handling, the latest first; how many are on their way. */
static _Thread_local struct fl_exception *fl_caught;
static _Thread_local uint32_t fl_on_their_way;
/* The one thrown last. */
static _Thread_local struct fl_exception *fl_thrown_last;

static struct fl_exception *fl_before(void *object) { return (struct fl_exception *)object - 1; }

void *__cxa_allocate_exception(size_t size) {
  struct fl_exception *exception = __wrap_malloc(sizeof *exception + size);
  if (!exception) fl_uncaught("std::terminate: there is no memory for an exception");
  memset(exception, 0, sizeof *exception);
  return exception + 1;
}

void __cxa_free_exception(void *object) { __wrap_free(fl_before(object)); }

struct fl_exception *__cxa_init_primary_exception(void *object, struct fl_type *type, fl_exception_destructor destructor) {
  struct fl_exception *exception = fl_before(object);
  exception->type = type;
  exception->destructor = destructor;
  exception->primary = exception;
  exception->adjusted = object;
  exception->owners = 0;
  return exception;
}

_Noreturn void fl_raise(struct fl_exception *exception) {
  __builtin_wasm_throw(0, exception);
  __builtin_unreachable();
}

_Noreturn static void fl_throw(struct fl_exception *exception) {
  if (!fl_may_be_caught()) fl_terminate_because(exception);
  fl_on_their_way++;
  fl_thrown_last = exception;
  fl_raise(exception);
}

_Noreturn void __cxa_throw(void *object, struct fl_type *type, fl_exception_destructor destructor) {
  struct fl_exception *exception = __cxa_init_primary_exception(object, type, destructor);
  exception->owners = 1;
  exception->site = fl_site();
  fl_throw(exception);
}

void *__cxa_get_exception_ptr(struct fl_exception *exception) { return exception->adjusted; }

void *__cxa_begin_catch(struct fl_exception *exception) {
  exception->handlers = (exception->handlers < 0 ? -exception->handlers : exception->handlers) + 1;
  if (fl_caught != exception) {
    exception->next = fl_caught;
    fl_caught = exception;
  }
  if (exception != &fl_thread_end) fl_on_their_way--;
  return exception->adjusted;
}

/* Owners may be threads: what the last one does comes after what the others did. */
static uint32_t fl_count_owner(struct fl_exception *exception, uint32_t change) {
  uint32_t word = fl_site() | FL_ORDER(__ATOMIC_ACQ_REL);
  fl_point(word | FL_RANGE, &exception->owners, sizeof exception->owners);
  fl_log_range(word | FL_SUCCEEDED | FL_CHANGED, &exception->owners, sizeof exception->owners);
  return exception->owners += change;
}

/* Nobody has it but the thread that threw it, unless it was ever in a std::exception_ptr. */
static void fl_let_go(struct fl_exception *exception) {
  if (exception == &fl_thread_end) fl_uncaught("std::terminate: catch (...) ends here, but has caught the end of a thread: throw; is missing");
  struct fl_exception *primary = exception->primary;
  if (exception != primary) __wrap_free(exception);
  uint32_t left = primary->shared ? fl_count_owner(primary, -1u) : --primary->owners;
  if (left) return;
  if (primary->destructor) primary->destructor(primary + 1);
  __wrap_free(primary);
}

void __cxa_end_catch(void) {
  struct fl_exception *exception = fl_caught;
  if (!exception) return;
  if (exception->handlers < 0) {
    if (++exception->handlers == 0) fl_caught = exception->next;
    return;
  }
  if (--exception->handlers) return;
  fl_caught = exception->next;
  fl_let_go(exception);
}

_Noreturn void __cxa_rethrow(void) {
  struct fl_exception *exception = fl_caught;
  if (!exception) fl_uncaught("std::terminate: throw; where no exception is being handled");
  exception->handlers = -exception->handlers;
  if (exception == &fl_thread_end) fl_raise(exception);
  fl_throw(exception);
}

struct fl_type *__cxa_current_exception_type(void) { return fl_caught ? fl_caught->type : 0; }

unsigned __cxa_uncaught_exceptions(void) { return fl_on_their_way; }
_Bool __cxa_uncaught_exception(void) { return fl_on_their_way != 0; }

/* What std::exception_ptr is made of: pointers to objects. */

void __cxa_increment_exception_refcount(void *object) {
  if (!object) return;
  fl_before(object)->shared = 1;
  fl_count_owner(fl_before(object), 1);
}

void __cxa_decrement_exception_refcount(void *object) {
  if (!object) return;
  struct fl_exception *exception = fl_before(object);
  if (fl_count_owner(exception, -1u)) return;
  if (exception->destructor) exception->destructor(object);
  __wrap_free(exception);
}

void *__cxa_current_primary_exception(void) {
  if (!fl_caught) return 0;
  if (fl_caught == &fl_thread_end) return 0;
  fl_caught->primary->shared = 1;
  fl_count_owner(fl_caught->primary, 1);
  return fl_caught->primary + 1;
}

/* Returns if there is nothing to throw. */
void __cxa_rethrow_primary_exception(void *object) {
  if (!object) return;
  struct fl_exception *primary = fl_before(object);
  struct fl_exception *exception = __wrap_malloc(sizeof *exception);
  if (!exception) fl_uncaught("std::terminate: there is no memory for an exception");
  fl_count_owner(primary, 1);
  memset(exception, 0, sizeof *exception);
  exception->type = primary->type;
  exception->primary = primary;
  exception->adjusted = object;
  exception->site = fl_site();
  fl_throw(exception);
}

/* Why std::terminate is called: what is on its way, or being handled. */
struct fl_exception *fl_latest(void) { return fl_on_their_way ? fl_thrown_last : fl_caught; }

/* pthread_exit: nothing catches this for good. */
void fl_leave_frames(void) { fl_raise(&fl_thread_end); }
_Bool fl_is_end_of_thread(const void *thrown) { return thrown == &fl_thread_end; }
