/*
 * What files in assembly rest on once they are translated to C: the registers of a processor, and the stack that a thread
 * library gives to its threads. On that stack lies what assembly puts there, and for each function in C that assembly has
 * called a return address and a frame pointer, so that frames can be followed; variables of C lie elsewhere.
 */
#ifndef FAULTLINE_ASSEMBLY_H
#define FAULTLINE_ASSEMBLY_H

struct faultline_registers {
  int eax, ebx, ecx, edx, esi, edi, ebp, esp;
  /* Registers of a thread that has just been forked: what called its parent is not there to be returned to. */
  int is_child;
};

/* Addresses in assembly, which no function or variable has. */
#define FAULTLINE_CODE(number) (0x7a5c0000 | (number))
#define FAULTLINE_IS_CODE(address) (((address) & ~0xffff) == 0x7a5c0000)
#define FAULTLINE_RETURN 0x7a5d0000

/* One thread alone looks at its stack, so that nobody else need see it. */
int faultline_stack_get(int address);
void faultline_stack_put(int address, int value);
#define push(value) faultline_stack_put((esp -= 4) - 0, value)
#define pop() faultline_stack_get((esp += 4) - 4)

/* C calls assembly with so many words: the registers then, with room for them on the stack. */
struct faultline_registers faultline_enter_assembly(int *scratch, int words);
/* Assembly calls C, with the return address on top of the stack, and goes on afterwards. */
int faultline_enter_c(int esp, int ebp);
void faultline_leave_c(int frame);

/* Where functions in assembly begin, by the address that C has of them. */
struct faultline_entry {
  int address;
  int (*run)(int, const struct faultline_registers *);
  int label;
};
void faultline_announce(int address, int (*run)(int, const struct faultline_registers *), int label);
const struct faultline_entry *faultline_entry_at(int address);

/* `int`: the argument is in esi. A fork begins a thread that runs from `next` on. */
int faultline_system_call(int number, const struct faultline_registers *registers,
                          int (*run)(int, const struct faultline_registers *), int next);

__attribute__((noreturn)) void faultline_bad_address(int address);
__attribute__((noreturn)) void faultline_returns_twice(void);
#define FAULTLINE_BAD_ADDRESS(address) faultline_bad_address(address)
#define FAULTLINE_RETURNS_TWICE() faultline_returns_twice()

/* System calls by name. */
#define gettid faultline_gettid
#define yield faultline_thread_yield
#define deschedule faultline_deschedule
#define make_runnable faultline_make_runnable
#define get_ticks faultline_get_ticks
#define vanish faultline_vanish
#define sleep faultline_thread_sleep

#endif
