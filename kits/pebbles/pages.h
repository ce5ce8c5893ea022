#ifndef PEBBLES_PAGES_H
#define PEBBLES_PAGES_H

#define MAIN_PAGES 2

void pebbles_make_pages(void);
/* The stack of main: the address after its last byte, and that of its first. */
char *pebbles_stack_high(void);
char *pebbles_stack_low(void);

#endif
