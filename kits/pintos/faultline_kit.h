/*
 * The machine below a Pintos tree. Included before every file: the few instructions that files in C have are calls of
 * faultline_kit.c, and the tests begin with pintos_boot.
 */
#ifndef PINTOS_MACHINE_H
#define PINTOS_MACHINE_H

void *pintos_stack_pointer(void);
int pintos_instruction(int disables, int enables, int halts);
#define PINTOS_INSTRUCTION_(text) \
  pintos_instruction(__builtin_strstr(text, "cli") != 0, __builtin_strstr(text, "sti") != 0, \
                     __builtin_strstr(text, "hlt") != 0)

/* Only running_thread() has one that is not volatile: the stack pointer, into a variable of that name. */
#define asm(...) (esp = pintos_stack_pointer())
#define __asm__(...) (esp = pintos_stack_pointer())
/* A macro only where a parenthesis follows, which is after `asm`. */
#define volatile(...) volatile("" : : "r"(PINTOS_INSTRUCTION_(#__VA_ARGS__)) : "memory")
#define __volatile__(...) __volatile__("" : : "r"(PINTOS_INSTRUCTION_(#__VA_ARGS__)) : "memory")

/*
 * Does what main does in threads/init.c, as far as threads and the timer are concerned. From then on the timer interrupts
 * so many times, each wherever interrupts are on: `ticks` times for one tick, and `slices` times for as many as it takes to
 * have the running thread give way. It ticks besides whenever nobody can run, and where nothing else makes time go by.
 */
void pintos_boot(int ticks, int slices);
/* The same once more, from here on. */
void pintos_interrupts(int ticks, int slices);

#endif
