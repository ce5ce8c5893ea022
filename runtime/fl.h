/*
 * What runtime code can ask of the instrumented module it is linked into. The functions marked FL_INLINE are replaced
 * by a few instructions when the module is rewritten; see src/frontends/wasm/artifact.ts for the protocol.
 *
 * Not on the include path of user code.
 */
#ifndef FL_H
#define FL_H

#include <stddef.h>
#include <stdint.h>

#define FL_INLINE(name) __attribute__((import_module("fl_inline"), import_name(#name)))
#define FL_EXPORT(name) __attribute__((export_name(#name)))

/* Fields of the first word of a log entry; the same as LogWord in artifact.ts. */
#define FL_ORDER(order) ((uint32_t)(order) << 20)
#define FL_CHANGED (1u << 23)
#define FL_SUCCEEDED (1u << 24)
#define FL_WROTE (1u << 25)
#define FL_RANGE (1u << 26)

/* The site of the user's call that is being served: the top of the shadow stack. Read it first. */
FL_INLINE(site) uint32_t fl_site(void);

/*
 * Whether ranges accessed in the name of that site are to be accessed word by word, with a point before each word:
 * another thread was seen to come between.
 */
FL_INLINE(words) uint32_t fl_words(uint32_t site);

/* Stops here if the site is a preemption point. Nothing is logged; the access has not happened yet. */
FL_INLINE(point) void fl_point(uint32_t word, const volatile void *address, size_t size);

/*
 * Appends to the log. There is room for 100 entries after each fl_point. The access must follow, or have gone before,
 * with no point in between.
 */
FL_INLINE(record) void fl_record(uint32_t word, const volatile void *address);

/* An entry with a length. */
static inline void fl_log_range(uint32_t word, const volatile void *address, size_t size) {
  fl_record(word | FL_RANGE, address);
  fl_record((uint32_t)size, 0);
}

/* A visible access of `size` bytes in the name of the user's call. The caller does the access right after. */
static inline void fl_access(uint32_t word, const volatile void *address, size_t size) {
  fl_point(word | FL_RANGE, address, size);
  fl_log_range(word, address, size);
}

/* Accesses of up to this many bytes are made at once. */
#define FL_WORD 8

/* Bytes of a range of `size` bytes up to the next boundary between words of its address. */
static inline size_t fl_word(const volatile void *address, size_t size) {
  size_t n = FL_WORD - ((uintptr_t)address & (FL_WORD - 1));
  return n < size ? n : size;
}

static inline void fl_read(const volatile void *address, size_t size) {
  if (size) fl_access(fl_site(), address, size);
}

static inline void fl_write(volatile void *address, size_t size) {
  if (size) fl_access(fl_site() | FL_WROTE, address, size);
}

#endif
