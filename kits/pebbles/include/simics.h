/* Debugging output of the simulator, which nobody reads here. */
#ifndef SIMICS_H
#define SIMICS_H

#include <assert.h>
#include <stdarg.h>

#define SIM_printf(...) ((void)0)
#define lprintf(...) ((void)0)
#define sim_printf(...) ((void)0)
#define sim_vprintf(...) ((void)0)
#define sim_puts(...) ((void)0)
#define sim_breakpoint() ((void)0)
#define SIM_breakpoint() ((void)0)
#define MAGIC_BREAK ((void)0)

#endif
