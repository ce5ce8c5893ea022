/* What stops the kernel. The machine has debug_panic. */
#ifndef LIB_DEBUG_H
#define LIB_DEBUG_H

#define PANIC(...) debug_panic(__FILE__, __LINE__, __func__, __VA_ARGS__)
#define ASSERT(condition) \
  do { \
    if (!(condition)) PANIC("assertion `%s' failed.", #condition); \
  } while (0)

__attribute__((noreturn)) void debug_panic(const char *file, int line, const char *function, const char *message, ...);

#endif
