#ifndef THREADS_INTERRUPT_H
#define THREADS_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

enum intr_level { INTR_OFF, INTR_ON };

/* What the processor has saved; only this much is looked at. */
struct intr_frame {
  uint32_t vec_no;
};

typedef void intr_handler_func(struct intr_frame *);

enum intr_level intr_get_level(void);
enum intr_level intr_set_level(enum intr_level);
enum intr_level intr_enable(void);
enum intr_level intr_disable(void);

void intr_register_ext(uint8_t vector, intr_handler_func *handler, const char *name);
bool intr_context(void);
void intr_yield_on_return(void);

#endif
