/* How threads that do not run have left their stacks. */
#ifndef THREADS_SWITCH_H
#define THREADS_SWITCH_H

#include <stdint.h>

struct thread;

struct switch_threads_frame {
  uint32_t edi, esi, ebp, ebx;
  void (*eip)(void);
  struct thread *cur, *next;
};

struct switch_entry_frame {
  void (*eip)(void);
};

struct thread *switch_threads(struct thread *cur, struct thread *next);
void switch_entry(void);

#endif
