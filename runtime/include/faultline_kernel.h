/*
 * What a machine with one processor offers to those who write a kernel: interrupts, and threads that block.
 * docs/kernels.md has examples of everything here. Threads are those of faultline_threads.h.
 */
#ifndef FAULTLINE_KERNEL_H
#define FAULTLINE_KERNEL_H

#include <faultline_threads.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Between the two nobody else runs, and no interrupt comes. Regions nest: interrupts are on again after as many enables as
 * disables. Having to wait in a region (for a lock, for another thread, in a loop), going round a loop in it for too long,
 * sleeping in it, ending with interrupts off and enabling what is on are bugs of kind interrupt-misuse.
 */
void faultline_disable_interrupts(void);
void faultline_enable_interrupts(void);
int faultline_interrupts_are_off(void);

/*
 * A device, by its name in reports: its handler is called so many times, each at any time at which interrupts are on. It
 * runs with interrupts off and must not wait.
 */
void faultline_interrupt(const char *name, void (*handler)(void *), void *argument, int times);
int faultline_is_in_handler(void);

/*
 * The calling thread sleeps until faultline_unblock. Called with interrupts off, nothing comes between what was done
 * before and the sleep; they are on meanwhile, and off again when it returns. Not in a handler.
 */
void faultline_block(void);

/* Wakes a thread that sleeps in faultline_block. Returns -1 if there is no such thread, or it does not sleep. */
int faultline_unblock(int id);

#ifdef __cplusplus
}
#endif

#endif
