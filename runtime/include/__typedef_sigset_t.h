/* The system's has eight bits. */
#ifndef __wasilibc___typedef_sigset_t_h
#define __wasilibc___typedef_sigset_t_h

typedef struct {
  unsigned long __bits[2];
} sigset_t;

#endif
