/* Pages that a program asks for by their addresses, below the stack of main. What nobody has asked for is out of bounds. */
#include "pages.h"

#include <faultline.h>
#include <syscall.h>

[[noreturn]] void fl_unsupported(const char *what);

#define PAGES 96

_Alignas(PAGE_SIZE) char pebbles_pages[PAGES][PAGE_SIZE];
/* Of how many pages what begins here consists. Whoever changes it has to be seen, as two that want the same page are. */
static volatile int lengths[PAGES];

void pebbles_make_pages(void) { faultline_pool(pebbles_pages, (PAGES - MAIN_PAGES) * PAGE_SIZE); }

char *pebbles_stack_high(void) { return pebbles_pages[0] + PAGES * PAGE_SIZE; }
char *pebbles_stack_low(void) { return pebbles_pages[PAGES - MAIN_PAGES]; }

static int page_of(const void *address) {
  char *at = (char *)address;
  if (at < pebbles_pages[0] || at >= pebbles_stack_high()) return -1;
  return (int)((at - pebbles_pages[0]) / PAGE_SIZE);
}

int new_pages(void *base, int length) {
  if ((unsigned)base % PAGE_SIZE != 0 || length <= 0 || length % PAGE_SIZE != 0) return -1;
  int from = page_of(base), count = length / PAGE_SIZE;
  if (from < 0)
    fl_unsupported("new_pages at an address that is not below what install_autostack was told of the stack of main");
  if (from + count > PAGES) return -1;
  int result = 0;
  faultline_atomic_begin();
  if (from + count > PAGES - MAIN_PAGES) result = -1;
  for (int i = 0; i < from + count && result == 0; i++)
    if (lengths[i] > 0 && i + lengths[i] > from) result = -1;
  if (result == 0) {
    lengths[from] = count;
    faultline_allocated(base, (__SIZE_TYPE__)length);
    __builtin_memset(base, 0, (__SIZE_TYPE__)length);
  }
  faultline_atomic_end();
  return result;
}

int remove_pages(void *base) {
  int from = page_of(base), result = -1;
  if ((unsigned)base % PAGE_SIZE != 0 || from < 0) return -1;
  faultline_atomic_begin();
  if (lengths[from] > 0) {
    faultline_freed(base);
    lengths[from] = 0;
    result = 0;
  }
  faultline_atomic_end();
  return result;
}
