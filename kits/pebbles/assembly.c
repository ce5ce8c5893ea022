/* What translated assembly rests on (faultline_assembly.h), and the beginning of a program, which has frames on its stack. */
#include "pages.h"

#include <faultline_assembly.h>
#include <syscall.h>
#include <syscall_int.h>

#undef no_sanitize
/* One thread alone sees its stack and its registers. */
#define OWN __attribute__((no_sanitize("coverage", "thread")))

[[noreturn]] void fl_unsupported(const char *what);
#undef malloc
#undef free
void *malloc(__SIZE_TYPE__ size);
void free(void *block);
void exit(int status);
/* Of those who have none. */
__attribute__((weak)) void install_autostack(void *stack_high, void *stack_low) { (void)stack_high, (void)stack_low; }

/* The frame pointer of the function in C that this thread is in; 0 before it has a stack of the program's. */
static _Thread_local int frame;
/* The stack pointer that a new thread has from its parent, until it has one of its own. */
static _Thread_local int inherited;
/* What the thread uses whenever C makes a system call. */
static _Thread_local int stack;

OWN int faultline_stack_get(int address) { return *(int *)address; }
OWN void faultline_stack_put(int address, int value) { *(int *)address = value; }

#define MOST_ENTRIES 64
static struct faultline_entry entries[MOST_ENTRIES];
static int entry_count;

OWN void faultline_announce(int address, int (*run)(int, const struct faultline_registers *), int label) {
  if (entry_count == MOST_ENTRIES) fl_unsupported("more than 64 functions in assembly");
  entries[entry_count++] = (struct faultline_entry){address, run, label};
}
OWN const struct faultline_entry *faultline_entry_at(int address) {
  for (int i = 0; i < entry_count; i++)
    if (entries[i].address == address) return &entries[i];
  return 0;
}

/* The function in C that calls has a frame, too, below that of whichever one assembly has called. */
OWN struct faultline_registers faultline_enter_assembly(int *scratch, int words) {
  struct faultline_registers registers = {.ebp = frame};
  int top = (int)scratch;
  if (frame != 0) {
    top = registers.ebp = frame - 16;
    faultline_stack_put(top, frame);
    faultline_stack_put(top + 4, FAULTLINE_RETURN);
  }
  registers.esp = top - 64 - 4 * words;
  faultline_stack_put(registers.esp, FAULTLINE_RETURN);
  return registers;
}

/* A new thread has set its stack pointer: this is its stack from here on. */
static OWN void find_stack(int esp) {
  if (inherited == 0 || (esp <= inherited + 256 && esp >= inherited - 256)) return;
  inherited = 0;
  stack = esp;
  faultline_enter_stack((void *)esp);
}

OWN int faultline_enter_c(int esp, int ebp) {
  int before = frame;
  find_stack(esp);
  faultline_stack_put(esp - 4, ebp);
  frame = esp - 4;
  return before;
}
OWN void faultline_leave_c(int before) { frame = before; }

/* Threads. */

struct start {
  struct faultline_registers registers;
  int (*run)(int, const struct faultline_registers *);
  int next;
};

static OWN void *begin(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  inherited = start.registers.esp;
  start.run(start.next, &start.registers);
  return 0;
}

static OWN int fork_thread(const struct faultline_registers *registers,
                           int (*run)(int, const struct faultline_registers *), int next) {
  struct start *start = malloc(sizeof *start);
  start->registers = *registers;
  start->registers.eax = 0;
  start->registers.is_child = 1;
  start->run = run;
  start->next = next;
  return faultline_thread_fork(0, begin, start);
}

void faultline_bad_address(int address) {
  (void)address;
  fl_unsupported("assembly that goes on where there is none");
}
void faultline_returns_twice(void) {
  fl_unsupported("a new thread that returns into the function in C that its parent has called assembly from");
}

static int call(int number, int esi) {
  int *packet = (int *)esi;
  switch (number) {
    case YIELD_INT: return yield(esi);
    case DESCHEDULE_INT: return deschedule((int *)esi);
    case MAKE_RUNNABLE_INT: return make_runnable(esi);
    case GETTID_INT: return gettid();
    case NEW_PAGES_INT: return new_pages((void *)packet[0], packet[1]);
    case REMOVE_PAGES_INT: return remove_pages((void *)esi);
    case SLEEP_INT: return sleep(esi);
    case PRINT_INT: return print(packet[0], (char *)packet[1]);
    case GET_TICKS_INT: return (int)get_ticks();
    case HALT_INT: halt();
    case TASK_VANISH_INT: task_vanish(esi);
    case SET_STATUS_INT: return set_status(esi), 0;
    case VANISH_INT: vanish();
    case SWEXN_INT: return 0;
    default: return -1;
  }
}

/* An instruction that does not use the stack, unlike a call of a function that has it. */
OWN int faultline_system_call(int number, const struct faultline_registers *registers,
                              int (*run)(int, const struct faultline_registers *), int next) {
  if (number == THREAD_FORK_INT) return fork_thread(registers, run, next);
  find_stack(registers->esp);
  faultline_enter_stack(0);
  int result = call(number, registers->esi);
  faultline_enter_stack((void *)stack);
  return result;
}

/* crt0: main returns to where its frame says, which thread libraries change. */

#undef main
int own_main(void);

int main(void) {
  int high = (int)pebbles_stack_high();
  pebbles_make_pages();
  /* _main has the arguments and a return address above it. */
  int outer = high - 32, esp = outer - 32;
  faultline_stack_put(outer, 0);
  faultline_stack_put(outer + 4, FAULTLINE_RETURN);
  faultline_stack_put(esp, FAULTLINE_RETURN);
  frame = outer;
  install_autostack((void *)high, pebbles_stack_low());
  faultline_enter_c(esp, outer);
  int result = own_main();
  int address = faultline_stack_get(esp);
  if (address != FAULTLINE_RETURN) {
    const struct faultline_entry *entry = faultline_entry_at(address);
    struct faultline_registers registers = {.eax = result, .esp = esp + 4, .ebp = faultline_stack_get(esp - 4)};
    if (!entry) fl_unsupported("a return address of main that is not in assembly");
    entry->run(entry->label, &registers);
  }
  exit(result);
}
