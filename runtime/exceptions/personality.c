/*
 * Which handler of a try block an exception goes to. Compiled code asks when it has caught one: it says which block that
 * is, and gets the number of the clause, 0 for none. The tables are those of other machines, where a block has a number
 * instead of a range of addresses (LLVM's `scan_eh_table` of libc++abi reads the same).
 */
#include "exceptions.h"

/* The compiler knows this layout. */
struct fl_landing {
  uint32_t block;
  const uint8_t *table;
  uint32_t clause;
};
_Thread_local struct fl_landing __wasm_lpad_context;

static uint32_t fl_unsigned(const uint8_t **at) {
  uint32_t result = 0, shift = 0;
  uint8_t byte;
  do {
    byte = *(*at)++;
    result |= (uint32_t)(byte & 0x7f) << shift;
    shift += 7;
  } while (byte & 0x80);
  return result;
}

static int32_t fl_signed(const uint8_t **at) {
  uint32_t result = 0, shift = 0;
  uint8_t byte;
  do {
    byte = *(*at)++;
    result |= (uint32_t)(byte & 0x7f) << shift;
    shift += 7;
  } while (byte & 0x80);
  if (shift < 32 && (byte & 0x40)) result |= ~0u << shift;
  return (int32_t)result;
}

enum { fl_omitted = 0xff };

/* Slots of the table of functions of a type, in libc++abi: can_catch comes after two destructors and two for RTTI. */
enum { fl_can_catch = 4 };

_Bool fl_fits(const struct fl_exception *exception, struct fl_type *clause, void **object) {
  if (exception == &fl_thread_end) return !clause;
  if (!clause) return 1;
  typedef _Bool (*can_catch)(const struct fl_type *, const struct fl_type *, void **);
  void *adjusted = exception->primary + 1;
  if (!((can_catch)clause->functions[fl_can_catch])(clause, exception->type, &adjusted)) return 0;
  *object = adjusted;
  return 1;
}

/* Exception specifications of old: `throw(A, B)`. None of those listed may fit. */
static _Bool fl_is_forbidden(const struct fl_exception *exception, const uint8_t *list, struct fl_type **types) {
  uint32_t index;
  void *object;
  while ((index = fl_unsigned(&list)))
    if (fl_fits(exception, types[-(int32_t)index], &object)) return 0;
  return 1;
}

static int32_t fl_clause(struct fl_exception *exception, const uint8_t *at, uint32_t block) {
  if (*at++ != fl_omitted) return 0;
  struct fl_type **types = 0;
  if (*at++ != fl_omitted) {
    uint32_t offset = fl_unsigned(&at);
    types = (struct fl_type **)(at + offset);
  }
  at++;
  uint32_t size = fl_unsigned(&at);
  const uint8_t *actions = at + size;
  uint32_t action = 0;
  for (uint32_t i = 0; i <= block; i++) {
    fl_unsigned(&at);
    action = fl_unsigned(&at);
  }
  if (!action) return 0;
  for (const uint8_t *entry = actions + action - 1;;) {
    int32_t clause = fl_signed(&entry);
    if (clause > 0 && fl_fits(exception, types[-clause], &exception->adjusted)) return clause;
    if (clause < 0 && fl_is_forbidden(exception, (const uint8_t *)types - clause - 1, types)) return clause;
    const uint8_t *from = entry;
    int32_t next = fl_signed(&entry);
    if (!next) return 0;
    entry = from + next;
  }
}

int _Unwind_CallPersonality(void *exception) {
  struct fl_landing *landing = &__wasm_lpad_context;
  landing->clause = landing->table ? (uint32_t)fl_clause(exception, landing->table, landing->block) : 0;
  return 0;
}
