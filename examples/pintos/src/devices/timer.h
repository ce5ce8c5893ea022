#ifndef DEVICES_TIMER_H
#define DEVICES_TIMER_H

#include <stdint.h>

void timer_init(void);
int64_t timer_ticks(void);
int64_t timer_elapsed(int64_t since);
void timer_sleep(int64_t ticks);

#endif
