/* The numbers of system calls, by the Pebbles specification. */
#ifndef SYSCALL_INT_H
#define SYSCALL_INT_H

#define SYSCALL_INT 0x40
#define FORK_INT 0x41
#define EXEC_INT 0x42
#define WAIT_INT 0x44
#define YIELD_INT 0x45
#define DESCHEDULE_INT 0x46
#define MAKE_RUNNABLE_INT 0x47
#define GETTID_INT 0x48
#define NEW_PAGES_INT 0x49
#define REMOVE_PAGES_INT 0x4A
#define SLEEP_INT 0x4B
#define GETCHAR_INT 0x4C
#define READLINE_INT 0x4D
#define PRINT_INT 0x4E
#define SET_TERM_COLOR_INT 0x4F
#define SET_CURSOR_POS_INT 0x50
#define GET_CURSOR_POS_INT 0x51
#define THREAD_FORK_INT 0x52
#define GET_TICKS_INT 0x53
#define MISBEHAVE_INT 0x54
#define HALT_INT 0x55
#define TASK_VANISH_INT 0x57
#define SET_STATUS_INT 0x59
#define VANISH_INT 0x60
#define READFILE_INT 0x62
#define SWEXN_INT 0x74

#endif
