/*
 * setjmp and longjmp, as LLVM compiles them for WebAssembly: a jump is an exception, which functions that have called
 * setjmp catch. They ask here whether it is meant for them. Linked only into programs that include <setjmp.h>.
 */
#include "host.h"

__asm__(".globl __c_longjmp\n.tagtype __c_longjmp i32\n__c_longjmp:\n");

/* The beginning of a jmp_buf: which call of which function, and which of its setjmps. */
struct fl_jump_target {
  void *invocation;
  uint32_t label;
};

/* What is thrown; the compiler knows this layout. */
struct fl_jump {
  struct fl_jump_target *target;
  int value;
} __attribute__((aligned(8)));
static _Thread_local struct fl_jump fl_jump;

void __wasm_setjmp(struct fl_jump_target *target, uint32_t label, void *invocation) {
  target->invocation = invocation;
  target->label = label;
}

uint32_t __wasm_setjmp_test(struct fl_jump_target *target, void *invocation) {
  return target->invocation == invocation ? target->label : 0;
}

_Noreturn void __wasm_longjmp(struct fl_jump_target *target, int value) {
  fl_jump.target = target;
  fl_jump.value = value ? value : 1;
  __builtin_wasm_throw(1, &fl_jump);
  __builtin_unreachable();
}

_Bool fl_is_jump(const void *thrown) { return thrown == &fl_jump; }
