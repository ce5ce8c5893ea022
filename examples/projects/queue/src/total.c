#include "total.h"

#include <stdatomic.h>

static atomic_int total;

void total_add(int n) { atomic_fetch_add(&total, n); }

int total_now(void) { return atomic_load(&total); }
