/* What a handler of exceptions is told, by the Pebbles specification. */
#ifndef UREG_H
#define UREG_H

#define SWEXN_CAUSE_DIVIDE 0x00
#define SWEXN_CAUSE_DEBUG 0x01
#define SWEXN_CAUSE_BREAKPOINT 0x03
#define SWEXN_CAUSE_OVERFLOW 0x04
#define SWEXN_CAUSE_BOUNDCHECK 0x05
#define SWEXN_CAUSE_OPCODE 0x06
#define SWEXN_CAUSE_NOFPU 0x07
#define SWEXN_CAUSE_SEGFAULT 0x0B
#define SWEXN_CAUSE_STACKFAULT 0x0C
#define SWEXN_CAUSE_PROTFAULT 0x0D
#define SWEXN_CAUSE_PAGEFAULT 0x0E
#define SWEXN_CAUSE_FPUFAULT 0x10
#define SWEXN_CAUSE_ALIGNFAULT 0x11
#define SWEXN_CAUSE_SIMDFAULT 0x13

#ifndef ASSEMBLER
typedef struct ureg_t {
  unsigned int cause, cr2;
  unsigned int ds, es, fs, gs;
  unsigned int edi, esi, ebp, zero, ebx, edx, ecx, eax;
  unsigned int error_code, eip, cs, eflags, esp, ss;
} ureg_t;
#endif

#endif
